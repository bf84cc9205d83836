import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "../../apimachinery/json-value.js";
import type { Naming } from "../../naming/naming.js";
import type { ApiCatalog, ServedGroup } from "../api-catalog.js";
import type { ApiPath } from "./api-path.js";
import { upperFirst } from "./capitals.js";
import { DefinitionNames } from "./definition-names.js";
import { Definitions, type Dialect, type TypeSource } from "./definitions.js";
import { type Descriptions, loadDescriptions } from "./descriptions.js";
import { documentJson, documentProtobuf } from "./document-encoders.js";
import type { DocumentParts } from "./document-parts.js";
import { documentV2 } from "./document-v2.js";
import { documentV3 } from "./document-v3.js";
import { type CustomSchemaOf, GivenSchemas } from "./given-schemas.js";
import { encodeDocumentV2 } from "./protobuf-v2.js";
import { encodeDocumentV3 } from "./protobuf-v3.js";
import { RenderedDocument } from "./rendered-document.js";
import { type Section, sectionsOf } from "./sections.js";

export type DocumentForm = "json" | "protobuf";

export interface OpenApiParts {
  readonly catalog: ApiCatalog;
  readonly naming: Naming;
  readonly types: TypeSource;
  /** The gate OpenAPIEnums. */
  readonly enums: boolean;
  /** Of the API: `v1.23.17`. */
  readonly version: string;
  /** Whether the issuer of service account tokens tells its keys. Default: false. */
  readonly issuerDiscovery?: boolean | undefined;
  readonly customSchemaOf?: CustomSchemaOf | undefined;
}

/**
 * The OpenAPI documents of all that is served. Each is made when first asked for, and again when the catalog has
 * changed; nothing is made or kept before.
 */
export class OpenApiDocuments {
  readonly #parts: OpenApiParts;
  #descriptions: Promise<Descriptions> | undefined;
  #current: CatalogDocuments | undefined;

  constructor(parts: OpenApiParts) {
    this.#parts = parts;
  }

  /** Everything as Swagger 2.0. */
  async v2(form: DocumentForm): Promise<RenderedDocument> {
    return await (await this.#documents()).v2(form);
  }

  /** Where the documents of OpenAPI 3 are, each with the hash of its content. */
  async v3Index(): Promise<RenderedDocument> {
    return await (await this.#documents()).v3Index();
  }

  /** One section, `apis/apps/v1`; undefined when there is none of that name. */
  async v3(section: string, form: DocumentForm): Promise<RenderedDocument | undefined> {
    return await (await this.#documents()).v3(section, form);
  }

  async #documents(): Promise<CatalogDocuments> {
    this.#descriptions ??= loadDescriptions();
    const descriptions = await this.#descriptions;
    const groups = this.#parts.catalog.groups();
    if (this.#current?.groups !== groups) {
      this.#current = new CatalogDocuments(this.#parts, groups, descriptions);
    }
    return this.#current;
  }
}

/** The documents of a catalog that does not change. */
class CatalogDocuments {
  readonly groups: readonly ServedGroup[];
  readonly #parts: OpenApiParts;
  readonly #names: DefinitionNames;
  readonly #descriptions: Descriptions;
  readonly #given: GivenSchemas;
  readonly #sections: readonly Section[];
  readonly #document: DocumentParts;
  readonly #rendered = new Map<string, Promise<RenderedDocument>>();

  constructor(parts: OpenApiParts, groups: readonly ServedGroup[], descriptions: Descriptions) {
    const { catalog, naming, types, version } = parts;
    this.groups = groups;
    this.#parts = parts;
    this.#descriptions = descriptions;
    this.#names = new DefinitionNames(naming);
    this.#given = new GivenSchemas(catalog, naming, this.#names, parts.customSchemaOf ?? (() => undefined));
    this.#sections = sectionsOf(catalog, {
      naming,
      names: this.#names,
      types,
      descriptions,
      issuerDiscovery: parts.issuerDiscovery ?? false,
      customBodies: (served) => this.#given.bodiesOf(served),
    });
    this.#document = { naming, title: upperFirst(naming.vendor), version };
  }

  v2(form: DocumentForm): Promise<RenderedDocument> {
    return this.#once(`v2 ${form}`, async () => {
      const definitions = this.#definitions("v2");
      const document = await documentV2(this.#document, this.#allPaths(), definitions);
      return await (form === "json" ? documentJson(document) : documentProtobuf(document, encodeDocumentV2));
    });
  }

  v3Index(): Promise<RenderedDocument> {
    return this.#once("v3", async () => {
      const paths: [string, JsonObject][] = [];
      for (const section of this.#sections) {
        const { hash } = await this.#v3(section, "json");
        paths.push([section.name, { serverRelativeURL: `/openapi/v3/${section.name}?hash=${hash}` }]);
        await setImmediate();
      }
      return await documentJson({ paths: Object.fromEntries(paths) });
    });
  }

  v3(name: string, form: DocumentForm): Promise<RenderedDocument> | undefined {
    const section = this.#sections.find((candidate) => candidate.name === name);
    return section === undefined ? undefined : this.#v3(section, form);
  }

  #v3(section: Section, form: DocumentForm): Promise<RenderedDocument> {
    return this.#once(`v3 ${section.name} ${form}`, async () => {
      const document = await documentV3(this.#document, section.paths(), this.#definitions("v3"));
      return await (form === "json" ? documentJson(document) : documentProtobuf(document, encodeDocumentV3));
    });
  }

  async *#allPaths(): AsyncIterable<readonly ApiPath[]> {
    for (const section of this.#sections) {
      yield section.paths();
      await setImmediate();
    }
  }

  #definitions(dialect: Dialect): Definitions {
    const { naming, types, enums } = this.#parts;
    return new Definitions({
      dialect,
      naming,
      names: this.#names,
      types,
      descriptions: this.#descriptions,
      enums,
      servedVersions: this.groups.flatMap(({ group, versions }) =>
        versions.map(({ version }) => ({ group, version })),
      ),
      givenSchema: (name, definitions) => this.#given.schema(name, definitions),
    });
  }

  #once(key: string, render: () => Promise<Uint8Array>): Promise<RenderedDocument> {
    let rendered = this.#rendered.get(key);
    if (rendered === undefined) {
      rendered = render().then((bytes) => new RenderedDocument(bytes));
      this.#rendered.set(key, rendered);
      rendered.catch(() => this.#rendered.delete(key));
    }
    return rendered;
  }
}
