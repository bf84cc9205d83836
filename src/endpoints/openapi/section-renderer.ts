import { createHash } from "node:crypto";
import { SingleFlight } from "../../apimachinery/collections/single-flight.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { GroupVersion } from "../../apimachinery/objects/meta.js";
import { collect } from "../../event-loop/collect.js";
import { parseJsonInTurns } from "../../event-loop/parse-json.js";
import type { ServedGroup } from "../catalog/api-catalog.js";
import type { ExtensionServer } from "../catalog/extension-server.js";
import { upperFirst } from "./capitals.js";
import { DefinitionNames } from "./definition-names.js";
import { Descriptions } from "./descriptions.js";
import { bytesOf } from "./document-bytes.js";
import { documentJson } from "./document-json.js";
import type { DocumentParts } from "./document-parts.js";
import { framedV3, pathItemsV3 } from "./document-v3.js";
import { extensionPart } from "./extension-part.js";
import { encodeDocumentV3 } from "./protobuf-v3.js";
import { RenderedDocument } from "./rendered-document.js";
import { SectionDescriber, type SectionDescriberParts, sortedObject } from "./section-describer.js";
import { hasDeclaredTypes, type Section } from "./sections.js";
import type { SwaggerPart } from "./swagger-part.js";
import { SwaggerSections } from "./swagger-sections.js";
import { definitionsToV3, pathsToV3 } from "./swagger-to-v3.js";

export type DocumentForm = "json" | "protobuf";

export interface SectionRendererParts extends SectionDescriberParts {
  /** The API's version: `v1.23.17`. */
  readonly version: string;
  /** Identifies the build, because another build may describe the same resource differently. */
  readonly build: string;
}

/** What is cached while the versions with declared types are the same, because all documents depend on them. */
interface Served {
  readonly declared: readonly GroupVersion[];
  readonly describer: SectionDescriber;
  readonly swagger: SwaggerSections;
  /** By the section's `of`; the hashes too. */
  readonly v3: WeakMap<object, SingleFlight<RenderedDocument>>;
  readonly hashes: WeakMap<object, string>;
  /** Identifies what the documents of all sections depend on. */
  readonly shared: string;
}

/** Generates the documents of sections, and caches each while its section is unchanged. */
export class SectionRenderer {
  readonly document: DocumentParts;
  /** Custom resources are not part of the server's version. */
  readonly #customDocument: DocumentParts;
  readonly #parts: SectionRendererParts;
  readonly #names: DefinitionNames;
  readonly #descriptions = new Descriptions();
  #served: Served;

  constructor(parts: SectionRendererParts) {
    const { naming, version, level } = parts;
    this.#parts = parts;
    this.#names = new DefinitionNames(naming);
    const title = upperFirst(naming.vendor);
    this.document = { naming, title, version, level, hasSecurity: true };
    this.#customDocument = {
      ...this.document,
      title: `${title} CRD Swagger`,
      version: "v0.1.0",
      hasSecurity: false,
    };
    this.#served = this.#serving([]);
  }

  /** Call it before documents of a changed catalog are requested. */
  serve(groups: readonly ServedGroup[]): void {
    const declared = groups.flatMap(({ group, versions }) =>
      versions.filter(hasDeclaredTypes).map(({ version }) => ({ group, version })),
    );
    if (!isSame(declared, this.#served.declared)) this.#served = this.#serving(declared);
  }

  #serving(declared: readonly GroupVersion[]): Served {
    const { naming, enums, cbor, fieldValidation, version, build } = this.#parts;
    const shared = JSON.stringify([naming.vendor, enums, cbor, fieldValidation, version, build, declared]);
    const describer = new SectionDescriber(
      this.#parts,
      { names: this.#names, descriptions: this.#descriptions },
      declared,
    );
    return {
      declared,
      describer,
      swagger: new SwaggerSections(describer, this.document, this.#kindsKey),
      v3: new WeakMap(),
      hashes: new WeakMap(),
      shared: createHash("sha256").update(shared).digest("hex"),
    };
  }

  swaggerParts(sections: readonly Section[]): readonly SwaggerPart[] {
    return this.#served.swagger.of(sections);
  }

  v3(section: Section, form: DocumentForm): Promise<RenderedDocument> {
    let documents = this.#served.v3.get(section.of);
    if (documents === undefined) {
      documents = new SingleFlight();
      this.#served.v3.set(section.of, documents);
    }
    const { describer } = this.#served;
    return documents.get(form, async () => {
      if (section.extension !== undefined) return await this.#extensionV3(section, section.extension, form);
      const { paths, definitions, schemas } = await describer.describe([section], "v3");
      const parts = section.isBuiltin ? this.document : this.#customDocument;
      const items = await collect(pathItemsV3(parts, paths(section), definitions));
      const described = await collect(definitions.schemas());
      const document = framedV3(parts, sortedObject(items), sortedObject(described));
      return await rendered(document, form, (value) => schemas.print(value));
    });
  }

  /**
   * Changes with the document of a section, in every form. Derived from the document's inputs where possible, so that an index of thousands
   * of sections renders none of them.
   */
  async v3Hash(section: Section): Promise<string> {
    // If what all sections share has changed meanwhile, `#served` was replaced.
    const { hashes, shared } = this.#served;
    let hash = hashes.get(section.of);
    if (hash !== undefined) return hash;
    const { name, fingerprint } = section;
    if (fingerprint === undefined) {
      hash = (await this.v3(section, "json")).hash;
    } else {
      const text = JSON.stringify([shared, name, fingerprint()]);
      hash = createHash("sha512").update(text).digest("hex").toUpperCase();
    }
    hashes.set(section.of, hash);
    return hash;
  }

  /** The extension server's own OpenAPI 3 document, or one made from its Swagger document, as in kube-aggregator. */
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

  /** The member of a definition with its groups, versions and kinds. */
  get #kindsKey(): string {
    return `${this.#parts.naming.extensionPrefix}group-version-kind`;
  }
}

async function rendered(
  document: JsonObject,
  form: DocumentForm,
  print?: (value: JsonValue) => string,
): Promise<RenderedDocument> {
  const bytes = form === "json" ? bytesOf(documentJson(document, print)) : encodeDocumentV3(document);
  return await RenderedDocument.of(await bytes);
}

function isSame(a: readonly GroupVersion[], b: readonly GroupVersion[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ group, version }, i) => group === b[i]?.group && version === b[i]?.version)
  );
}
