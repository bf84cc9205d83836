import type { JsonObject } from "../../apimachinery/json-value.js";
import type { Naming } from "../../naming/naming.js";
import type { ServedGroup } from "../api-catalog.js";
import type { ExtensionServer } from "../catalog/extension-server.js";
import type { ApiPath } from "./api-path.js";
import { upperFirst } from "./capitals.js";
import { DefinitionNames } from "./definition-names.js";
import { Definitions, type TypeSource } from "./definitions.js";
import type { Descriptions } from "./descriptions.js";
import type { Dialect } from "./dialect.js";
import { documentJson, documentProtobuf } from "./document-encoders.js";
import type { DocumentParts } from "./document-parts.js";
import { documentV2 } from "./document-v2.js";
import { documentV3 } from "./document-v3.js";
import { extensionPart } from "./extension-part.js";
import { GivenSchemas } from "./given-schemas.js";
import { OnceEach } from "./once-each.js";
import { encodeDocumentV3 } from "./protobuf-v3.js";
import { RenderedDocument } from "./rendered-document.js";
import type { ResourcePathsParts } from "./resource-paths.js";
import type { Section } from "./sections.js";
import { RenderedPart, type SwaggerPart } from "./swagger-part.js";

export type DocumentForm = "json" | "protobuf";

export interface SectionRendererParts {
  readonly naming: Naming;
  readonly types: TypeSource;
  /** The gate OpenAPIEnums. */
  readonly enums: boolean;
  /** Of the API: `v1.23.17`. */
  readonly version: string;
}

type GroupVersion = { readonly group: string; readonly version: string };

/** Describes sections of the API, and keeps each description as long as its section is the same. */
export class SectionRenderer {
  readonly document: DocumentParts;
  readonly #parts: SectionRendererParts;
  readonly #names: DefinitionNames;
  readonly #descriptions: Descriptions;
  /** Group versions of declared types: options and watch events belong to all of them. */
  #declared: readonly GroupVersion[] = [];
  /** By what a section is made from. */
  #v3 = new WeakMap<object, OnceEach<RenderedDocument>>();
  #custom = new WeakMap<object, RenderedPart>();
  /** The sections of declared types are one part of the Swagger document: they share most of their types. */
  #builtin: { readonly of: readonly object[]; readonly part: RenderedPart } | undefined;

  constructor(parts: SectionRendererParts, descriptions: Descriptions) {
    const { naming, version } = parts;
    this.#parts = parts;
    this.#descriptions = descriptions;
    this.#names = new DefinitionNames(naming);
    this.document = { naming, title: upperFirst(naming.vendor), version };
  }

  /** Called before anything is asked of a changed catalog. */
  serve(groups: readonly ServedGroup[]): void {
    const declared = groups.flatMap(({ group, versions }) =>
      versions
        .filter(
          ({ resources, extension }) =>
            extension === undefined && [...resources.values()].some(({ schema }) => schema === undefined),
        )
        .map(({ version }) => ({ group, version })),
    );
    if (isSame(declared, this.#declared)) return;
    this.#declared = declared;
    this.#v3 = new WeakMap();
    this.#custom = new WeakMap();
    this.#builtin = undefined;
  }

  v3(section: Section, form: DocumentForm): Promise<RenderedDocument> {
    let documents = this.#v3.get(section.of);
    if (documents === undefined) {
      documents = new OnceEach();
      this.#v3.set(section.of, documents);
    }
    return documents.get(form, async () => {
      if (section.extension !== undefined) return await this.#extensionV3(section.extension, form);
      const { paths, definitions } = this.#describe([section], "v3");
      const document = await documentV3(this.document, paths, definitions);
      return await RenderedDocument.of(
        await (form === "json" ? documentJson(document) : documentProtobuf(document, encodeDocumentV3)),
      );
    });
  }

  /** As it came; in the other form, as far as that has fields for it. */
  async #extensionV3({ openApi3 }: ExtensionServer, form: DocumentForm): Promise<RenderedDocument> {
    const bytes = openApi3 ?? Buffer.from("{}");
    if (form === "json") return await RenderedDocument.of(bytes);
    const document = JSON.parse(Buffer.from(bytes).toString("utf8")) as JsonObject; // it was read as an object
    return await RenderedDocument.of(await documentProtobuf(document, encodeDocumentV3));
  }

  /** What the sections are in the Swagger document. */
  swaggerParts(sections: readonly Section[]): readonly SwaggerPart[] {
    const isBuiltin = ({ custom, extension }: Section) => custom.length === 0 && extension === undefined;
    const builtin = this.#builtinPart(sections.filter(isBuiltin));
    const others = sections.filter((section) => !isBuiltin(section));
    return [builtin, ...others.map((section) => this.#otherPart(section, builtin))];
  }

  #builtinPart(sections: readonly Section[]): RenderedPart {
    const of = sections.map((section) => section.of);
    if (this.#builtin?.of.length !== of.length || this.#builtin.of.some((each, i) => each !== of[i])) {
      const part = new RenderedPart(() => this.#swagger(sections));
      this.#builtin = { of, part };
    }
    return this.#builtin.part;
  }

  /** Without the definitions of declared types that the built-in part brings. */
  #otherPart(section: Section, builtin: RenderedPart): RenderedPart {
    let part = this.#custom.get(section.of);
    if (part === undefined) {
      part = new RenderedPart(async () => {
        const { extension } = section;
        if (extension !== undefined) {
          const { definitions: known } = await builtin.json();
          return extensionPart(extension.swagger ?? {}, `/${section.name}`, known);
        }
        const { paths, definitions } = await this.#swagger([section]);
        const known = (await builtin.json()).definitions;
        const own = Object.entries(definitions).filter(([name]) => !known.has(name));
        return { paths, definitions: Object.fromEntries(own) };
      });
      this.#custom.set(section.of, part);
    }
    return part;
  }

  #swagger(
    sections: readonly Section[],
  ): Promise<{ readonly paths: JsonObject; readonly definitions: JsonObject }> {
    const { paths, definitions } = this.#describe(sections, "v2");
    return documentV2(this.document, paths, definitions);
  }

  #describe(
    sections: readonly Section[],
    dialect: Dialect,
  ): { readonly paths: Iterable<ApiPath>; readonly definitions: Definitions } {
    const { naming, types, enums } = this.#parts;
    const names = this.#names;
    const descriptions = this.#descriptions;
    const given = new GivenSchemas(
      sections.flatMap(({ custom }) => custom),
      naming,
      names,
    );
    const definitions = new Definitions({
      dialect,
      naming,
      names,
      types,
      descriptions,
      enums,
      servedVersions: this.#declared,
      givenSchema: (name, document) => given.schema(name, document),
    });
    const parts: ResourcePathsParts = {
      naming,
      names,
      types,
      descriptions,
      customBodies: (served) => given.bodiesOf(served),
    };
    return { paths: pathsOf(sections, parts), definitions };
  }
}

function* pathsOf(sections: readonly Section[], parts: ResourcePathsParts): Iterable<ApiPath> {
  for (const section of sections) yield* section.paths(parts);
}

function isSame(a: readonly GroupVersion[], b: readonly GroupVersion[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ group, version }, i) => group === b[i]?.group && version === b[i]?.version)
  );
}
