import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { collect } from "../../event-loop/collect.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { ExtensionServer } from "../catalog/extension-server.js";
import type { DocumentParts } from "./document-parts.js";
import { pathItemsV2 } from "./document-v2.js";
import { extensionPart } from "./extension-part.js";
import { type SectionDescriber, sortedObject } from "./section-describer.js";
import type { Section } from "./sections.js";
import { SharedParameters } from "./shared-parameters.js";
import { type DescribedPart, type PrintedMembers, RenderedPart, type SwaggerPart } from "./swagger-part.js";

/** The parts of the Swagger document, each cached while its section is unchanged. */
export class SwaggerSections {
  readonly #describer: SectionDescriber;
  readonly #document: DocumentParts;
  /** The member of a definition with its groups, versions and kinds. */
  readonly #kindsKey: string;
  readonly #others = new WeakMap<object, RenderedPart>();
  readonly #extensions = new WeakMap<
    object,
    { readonly before: readonly RenderedPart[]; readonly part: RenderedPart }
  >();
  /** All sections of declared types make one part, because they share most of their types. */
  #builtin: { readonly of: readonly object[]; readonly part: RenderedPart } | undefined;

  constructor(describer: SectionDescriber, document: DocumentParts, kindsKey: string) {
    this.#describer = describer;
    this.#document = document;
    this.#kindsKey = kindsKey;
  }

  /** The parts of these sections, in their order. */
  of(sections: readonly Section[]): readonly SwaggerPart[] {
    const builtin = this.#builtinPart(sections.filter(({ isBuiltin }) => isBuiltin));
    const parts = [builtin];
    const extensions: RenderedPart[] = [];
    for (const section of sections) {
      if (section.isBuiltin) continue;
      const { extension } = section;
      if (extension === undefined) {
        parts.push(this.#otherPart(section, builtin));
        continue;
      }
      const part = this.#extensionPart(section, extension, [builtin, ...extensions]);
      parts.push(part);
      extensions.push(part);
    }
    return parts;
  }

  #builtinPart(sections: readonly Section[]): RenderedPart {
    const of = sections.map((section) => section.of);
    if (this.#builtin?.of.length !== of.length || this.#builtin.of.some((each, i) => each !== of[i])) {
      const part = new RenderedPart(() => this.#swagger(sections));
      this.#builtin = { of, part };
    }
    return this.#builtin.part;
  }

  /** Without the definitions of declared types and the shared parameters that the built-in part contains. */
  #otherPart(section: Section, builtin: RenderedPart): RenderedPart {
    let part = this.#others.get(section.of);
    if (part === undefined) {
      part = new RenderedPart(async () => {
        const known = await builtin.json();
        const { paths, definitions, parameters } = await this.#swagger([section]);
        return {
          paths,
          definitions: without(known.definitions, definitions),
          parameters: without(known.parameters, parameters),
        };
      });
      this.#others.set(section.of, part);
    }
    return part;
  }

  /** Its definitions are renamed where they collide with those of the parts `before`. */
  #extensionPart(
    section: Section,
    extension: ExtensionServer,
    before: readonly RenderedPart[],
  ): RenderedPart {
    const kept = this.#extensions.get(section.of);
    if (kept?.before.length === before.length && kept.before.every((each, i) => each === before[i]))
      return kept.part;
    const part = new RenderedPart(async () => {
      const known = new Map<string, Uint8Array>();
      for (const each of before) {
        for (const [name, printed] of (await each.json()).definitions) known.set(name, printed);
        await turnIfRoundIsOver();
      }
      const { paths, definitions } = await extensionPart(
        extension.swagger ?? {},
        `/${section.name}`,
        known,
        this.#kindsKey,
      );
      return { paths: new Map([[section.name, paths]]), definitions, parameters: {} };
    });
    this.#extensions.set(section.of, { before, part });
    return part;
  }

  async #swagger(sections: readonly Section[]): Promise<DescribedPart> {
    const { paths, definitions } = await this.#describer.describe(sections, "v2");
    const items = new Map<string, JsonObject>();
    const shared = new SharedParameters(this.#document.level);
    for (const section of sections) {
      const ofSection = await collect(pathItemsV2(this.#document, paths(section), definitions, shared));
      items.set(section.name, Object.fromEntries(ofSection));
    }
    return {
      paths: items,
      definitions: sortedObject(await collect(definitions.schemas())),
      parameters: shared.all(),
    };
  }
}

function without(known: PrintedMembers, members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !known.has(name)));
}
