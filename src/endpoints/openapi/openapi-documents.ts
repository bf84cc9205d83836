import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "../../apimachinery/json-value.js";
import type { ApiCatalog, ServedGroup } from "../api-catalog.js";
import { loadDescriptions } from "./descriptions.js";
import { documentJson } from "./document-encoders.js";
import { frameV2 } from "./document-v2.js";
import { mergedJson, mergedProtobuf } from "./merge-swagger.js";
import { OnceEach } from "./once-each.js";
import { RenderedDocument } from "./rendered-document.js";
import { type DocumentForm, SectionRenderer, type SectionRendererParts } from "./section-renderer.js";
import { type Section, sectionsOf } from "./sections.js";

export interface OpenApiParts extends SectionRendererParts {
  readonly catalog: ApiCatalog;
  /** Whether the issuer of service account tokens tells its keys. Default: false. */
  readonly issuerDiscovery?: boolean | undefined;
}

/**
 * The OpenAPI documents of all that is served. Each is made when first asked for and kept as long as what it tells of is the same: when the
 * catalog changes, only the versions that changed are described anew.
 */
export class OpenApiDocuments {
  readonly #parts: OpenApiParts;
  #shared: Promise<SectionRenderer> | undefined;
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
    this.#shared ??= loadDescriptions().then(
      (descriptions) => new SectionRenderer(this.#parts, descriptions),
    );
    const renderer = await this.#shared;
    const groups = this.#parts.catalog.groups();
    if (this.#current?.groups !== groups) {
      const { naming, issuerDiscovery = false } = this.#parts;
      const sections = sectionsOf(this.#parts.catalog, { naming, issuerDiscovery });
      renderer.serve(groups);
      this.#current = new CatalogDocuments(groups, sections, renderer);
    }
    return this.#current;
  }
}

/** The documents of a catalog that does not change. */
class CatalogDocuments {
  readonly groups: readonly ServedGroup[];
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #renderer: SectionRenderer;
  readonly #whole = new OnceEach<RenderedDocument>();

  constructor(groups: readonly ServedGroup[], sections: readonly Section[], renderer: SectionRenderer) {
    this.groups = groups;
    this.#sections = new Map(sections.map((section) => [section.name, section]));
    this.#renderer = renderer;
  }

  v2(form: DocumentForm): Promise<RenderedDocument> {
    return this.#whole.get(`v2 ${form}`, async () => {
      const parts = this.#renderer.swaggerParts([...this.#sections.values()]);
      const merged = form === "json" ? mergedJson : mergedProtobuf;
      return await RenderedDocument.of(await merged(frameV2(this.#renderer.document), parts));
    });
  }

  v3Index(): Promise<RenderedDocument> {
    return this.#whole.get("v3", async () => {
      const paths: [string, JsonObject][] = [];
      for (const section of this.#sections.values()) {
        // Servers older than the documents have none.
        if (section.extension !== undefined && section.extension.openApi3 === undefined) continue;
        const { hash } = await this.#renderer.v3(section, "json");
        paths.push([section.name, { serverRelativeURL: `/openapi/v3/${section.name}?hash=${hash}` }]);
        await setImmediate();
      }
      return await RenderedDocument.of(await documentJson({ paths: Object.fromEntries(paths) }));
    });
  }

  v3(name: string, form: DocumentForm): Promise<RenderedDocument> | undefined {
    const section = this.#sections.get(name);
    if (section === undefined || (section.extension && section.extension.openApi3 === undefined))
      return undefined;
    return this.#renderer.v3(section, form);
  }
}
