import { createHash } from "node:crypto";
import { SingleFlight } from "../../apimachinery/collections/single-flight.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { collect } from "../../event-loop/collect.js";
import { parseJsonInTurns } from "../../event-loop/parse-json.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Naming } from "../../naming/naming.js";
import type { ServedGroup, ServedResource } from "../catalog/api-catalog.js";
import type { ExtensionServer } from "../catalog/extension-server.js";
import type { ApiPath } from "./api-path.js";
import { upperFirst } from "./capitals.js";
import { DeclaredSchemas, type TypeSource } from "./declared-schemas.js";
import { DefinitionNames } from "./definition-names.js";
import { Definitions } from "./definitions.js";
import { Descriptions } from "./descriptions.js";
import type { Dialect } from "./dialect.js";
import { bytesOf } from "./document-bytes.js";
import { documentJson, documentProtobuf } from "./document-encoders.js";
import type { DocumentParts } from "./document-parts.js";
import { pathItemsV2 } from "./document-v2.js";
import { framedV3, pathItemsV3 } from "./document-v3.js";
import { extensionPart } from "./extension-part.js";
import { GivenSchemas } from "./given-schemas.js";
import { encodeDocumentV3 } from "./protobuf-v3.js";
import { RenderedDocument } from "./rendered-document.js";
import type { ResourcePathsParts } from "./resource-operations.js";
import { hasDeclaredTypes, type Section } from "./sections.js";
import { type DescribedPart, RenderedPart, type SwaggerPart } from "./swagger-part.js";
import { definitionsToV3, pathsToV3 } from "./swagger-to-v3.js";

export type DocumentForm = "json" | "protobuf";

export interface SectionRendererParts {
  readonly naming: Naming;
  readonly types: TypeSource;
  /** The gate OpenAPIEnums. */
  readonly enums: boolean;
  /** Whether requests and answers may be CBOR. */
  readonly cbor: boolean;
  readonly level: ApiLevel;
  /** Of the API: `v1.23.17`. */
  readonly version: string;
  /** Identifies the program, because another version may describe the same resource differently. */
  readonly build: string;
}

type GroupVersion = { readonly group: string; readonly version: string };

/** Describes sections of the API, and caches each description while its section is the same. */
export class SectionRenderer {
  readonly document: DocumentParts;
  readonly #parts: SectionRendererParts;
  readonly #names: DefinitionNames;
  readonly #descriptions = new Descriptions();
  /** Group versions of declared types: options and watch events belong to all of them. */
  #declared: readonly GroupVersion[] | undefined;
  /** Identifies what the documents of all sections depend on. */
  #shared = "";
  readonly #schemas = new Map<Dialect, DeclaredSchemas>();
  /** By the source of a section; so are the hashes. */
  #v3 = new WeakMap<object, SingleFlight<RenderedDocument>>();
  #hashes = new WeakMap<object, string>();
  #others = new WeakMap<object, RenderedPart>();
  #extensions = new WeakMap<
    object,
    { readonly before: readonly RenderedPart[]; readonly part: RenderedPart }
  >();
  /** All sections of declared types make one part of the Swagger document, because they share most of their types. */
  #builtin: { readonly of: readonly object[]; readonly part: RenderedPart } | undefined;

  constructor(parts: SectionRendererParts) {
    const { naming, version } = parts;
    this.#parts = parts;
    this.#names = new DefinitionNames(naming);
    this.document = { naming, title: upperFirst(naming.vendor), version };
  }

  /** Call it before anything is requested of a changed catalog. */
  serve(groups: readonly ServedGroup[]): void {
    const declared = groups.flatMap(({ group, versions }) =>
      versions.filter(hasDeclaredTypes).map(({ version }) => ({ group, version })),
    );
    if (this.#declared !== undefined && isSame(declared, this.#declared)) return;
    this.#declared = declared;
    const { naming, enums, cbor, version, build } = this.#parts;
    const shared = JSON.stringify([naming.vendor, enums, cbor, version, build, declared]);
    this.#shared = createHash("sha256").update(shared).digest("hex");
    this.#schemas.clear();
    this.#v3 = new WeakMap();
    this.#hashes = new WeakMap();
    this.#others = new WeakMap();
    this.#extensions = new WeakMap();
    this.#builtin = undefined;
  }

  v3(section: Section, form: DocumentForm): Promise<RenderedDocument> {
    let documents = this.#v3.get(section.of);
    if (documents === undefined) {
      documents = new SingleFlight();
      this.#v3.set(section.of, documents);
    }
    return documents.get(form, async () => {
      if (section.extension !== undefined) return await this.#extensionV3(section, section.extension, form);
      await this.#descriptions.load(section.declaresTypes ? "all" : "common");
      const { paths, definitions, schemas } = await this.#describe([section], "v3");
      const items = await collect(pathItemsV3(this.document, paths(section), definitions));
      const described = await collect(definitions.schemas());
      const document = framedV3(this.document, sortedObject(items), sortedObject(described));
      return await rendered(document, form, (value) => schemas.print(value));
    });
  }

  /**
   * Changes with the document of a section, in every form. Derived from the document's inputs where possible, so that an index of thousands
   * of sections renders none of them.
   */
  async v3Hash(section: Section): Promise<string> {
    // They were replaced if what all sections share has changed meanwhile.
    const hashes = this.#hashes;
    let hash = hashes.get(section.of);
    if (hash !== undefined) return hash;
    const { name, fingerprint } = section;
    if (fingerprint === undefined) {
      hash = (await this.v3(section, "json")).hash;
    } else {
      const text = JSON.stringify([this.#shared, name, fingerprint()]);
      hash = createHash("sha512").update(text).digest("hex").toUpperCase();
    }
    hashes.set(section.of, hash);
    return hash;
  }

  /** As the server provides it, or else made of its Swagger document, as in kube-aggregator. */
  async #extensionV3(
    { name }: Section,
    { openApi3, swagger }: ExtensionServer,
    form: DocumentForm,
  ): Promise<RenderedDocument> {
    if (openApi3 !== undefined && form === "json") return await RenderedDocument.of(openApi3);
    const document =
      openApi3 === undefined
        ? await this.#converted(swagger ?? {}, `/${name}`)
        : await parseJsonInTurns(openApi3);
    return await rendered(isJsonObject(document) ? document : {}, form); // it was read as an object
  }

  async #converted(swagger: JsonObject, prefix: string): Promise<JsonObject> {
    // A document of its own, in which nothing collides.
    const { paths, definitions } = await extensionPart(swagger, prefix, new Map(), this.#kindsKey);
    const items = await collect(pathsToV3(paths, swagger));
    const schemas = await collect(definitionsToV3(definitions));
    return framedV3(this.document, Object.fromEntries(items), Object.fromEntries(schemas));
  }

  /** The sections' part of the Swagger document. */
  swaggerParts(sections: readonly Section[]): readonly SwaggerPart[] {
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

  /** Without the definitions of declared types, which the built-in part contains. */
  #otherPart(section: Section, builtin: RenderedPart): RenderedPart {
    let part = this.#others.get(section.of);
    if (part === undefined) {
      part = new RenderedPart(async () => {
        const { definitions: known } = await builtin.json();
        const { paths, definitions } = await this.#swagger([section]);
        const own = Object.entries(definitions).filter(([name]) => !known.has(name));
        return { paths, definitions: Object.fromEntries(own) };
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
      return { paths: new Map([[section.name, paths]]), definitions };
    });
    this.#extensions.set(section.of, { before, part });
    return part;
  }

  /** The member of a definition with its groups, versions and kinds. */
  get #kindsKey(): string {
    return `${this.#parts.naming.extensionPrefix}group-version-kind`;
  }

  async #swagger(sections: readonly Section[]): Promise<DescribedPart> {
    await this.#descriptions.load("all");
    const { paths, definitions } = await this.#describe(sections, "v2");
    const items = new Map<string, JsonObject>();
    for (const section of sections) {
      const ofSection = await collect(pathItemsV2(this.document, paths(section), definitions));
      items.set(section.name, Object.fromEntries(ofSection));
    }
    return { paths: items, definitions: sortedObject(await collect(definitions.schemas())) };
  }

  /** What the paths of the sections, whose descriptions are loaded, are made with. `definitions` are those that they need. */
  async #describe(
    sections: readonly Section[],
    dialect: Dialect,
  ): Promise<{
    readonly paths: (section: Section) => Iterable<ApiPath>;
    readonly definitions: Definitions;
    readonly schemas: DeclaredSchemas;
  }> {
    const { naming, types, level, cbor } = this.#parts;
    const names = this.#names;
    const schemas = this.#schemasOf(dialect);
    const given = new GivenSchemas(await collect(schemasOf(sections)), { naming, names, level });
    const parts: ResourcePathsParts = {
      naming,
      cbor,
      names,
      types,
      descriptions: this.#descriptions,
      customBodies: (served) => given.bodiesOf(served),
    };
    return {
      paths: (section) => section.paths(parts),
      definitions: new Definitions(schemas, (name, document) => given.schema(name, document)),
      schemas,
    };
  }

  #schemasOf(dialect: Dialect): DeclaredSchemas {
    let schemas = this.#schemas.get(dialect);
    if (schemas === undefined) {
      const { naming, types, enums, level } = this.#parts;
      schemas = new DeclaredSchemas({
        dialect,
        naming,
        names: this.#names,
        types,
        descriptions: this.#descriptions,
        enums,
        level,
        servedVersions: this.#declared ?? [],
      });
      this.#schemas.set(dialect, schemas);
    }
    return schemas;
  }
}

async function rendered(
  document: JsonObject,
  form: DocumentForm,
  print?: (value: JsonValue) => string,
): Promise<RenderedDocument> {
  const pieces =
    form === "json" ? documentJson(document, print) : documentProtobuf(document, encodeDocumentV3);
  return await RenderedDocument.of(await bytesOf(pieces));
}

function* schemasOf(sections: readonly Section[]): Iterable<readonly [ServedResource, JsonObject]> {
  for (const { custom } of sections) {
    for (const served of custom) if (served.schema !== undefined) yield [served, served.schema()];
  }
}

function sortedObject(members: readonly (readonly [name: string, value: JsonObject])[]): JsonObject {
  return Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isSame(a: readonly GroupVersion[], b: readonly GroupVersion[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ group, version }, i) => group === b[i]?.group && version === b[i]?.version)
  );
}
