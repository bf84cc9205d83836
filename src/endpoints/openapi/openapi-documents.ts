import { printJson, printJsonString } from "../../apimachinery/json-print.js";
import { Turns } from "../../apimachinery/turns.js";
import type { ApiCatalog, ServedGroup } from "../api-catalog.js";
import { OnceEach } from "../once-each.js";
import { loadDescriptions } from "./descriptions.js";
import { frameV2 } from "./document-v2.js";
import { mergedJson, mergedProtobuf } from "./merge-swagger.js";
import { RenderedDocument } from "./rendered-document.js";
import { type DocumentForm, SectionRenderer, type SectionRendererParts } from "./section-renderer.js";
import { fixedSections, type Section, sectionsOfGroup } from "./sections.js";

export interface OpenApiParts extends SectionRendererParts {
  readonly catalog: ApiCatalog;
  /** Whether the keys of service account tokens are published. Default: false. */
  readonly issuerDiscovery?: boolean | undefined;
}

/**
 * The OpenAPI documents of everything that is served. Each is made on first use and kept while its content is the same: when the
 * catalog changes, only the changed versions are described anew.
 */
export class OpenApiDocuments {
  readonly #parts: OpenApiParts;
  readonly #turns = new Turns();
  readonly #fixed: readonly Section[];
  readonly #ofGroups = new WeakMap<ServedGroup, readonly Section[]>();
  #shared: Promise<SectionRenderer> | undefined;
  #current:
    | { readonly groups: readonly ServedGroup[]; readonly documents: Promise<CatalogDocuments> }
    | undefined;

  constructor(parts: OpenApiParts) {
    this.#parts = parts;
    this.#fixed = fixedSections(parts.naming, parts.issuerDiscovery ?? false);
  }

  /** Everything as Swagger 2.0. */
  async v2(form: DocumentForm): Promise<RenderedDocument> {
    return await (await this.#documents()).v2(form);
  }

  /** The paths of the OpenAPI 3 documents, each with a hash that changes with its content. */
  async v3Index(): Promise<RenderedDocument> {
    return await (await this.#documents()).v3Index();
  }

  /** One section, `apis/apps/v1`; undefined when there is none of that name. */
  async v3(section: string, form: DocumentForm): Promise<RenderedDocument | undefined> {
    return await (await this.#documents()).v3(section, form);
  }

  /** Changes with the document of a section, and is the same for all of its forms. */
  async v3Hash(section: string): Promise<string | undefined> {
    return await (await this.#documents()).v3Hash(section);
  }

  async #documents(): Promise<CatalogDocuments> {
    this.#shared ??= loadDescriptions().then(
      (descriptions) => new SectionRenderer(this.#parts, descriptions, this.#turns),
    );
    const renderer = await this.#shared;
    const groups = this.#parts.catalog.groups();
    if (this.#current?.groups !== groups) {
      this.#current = { groups, documents: this.#documentsOf(groups, renderer) };
    }
    return await this.#current.documents;
  }

  async #documentsOf(groups: readonly ServedGroup[], renderer: SectionRenderer): Promise<CatalogDocuments> {
    renderer.serve(groups);
    return new CatalogDocuments(await this.#sectionsOf(groups), renderer, this.#turns);
  }

  /** In the order of their names. */
  async #sectionsOf(groups: readonly ServedGroup[]): Promise<Section[]> {
    const sections = [...this.#fixed];
    for (const group of groups) {
      let own = this.#ofGroups.get(group);
      if (own === undefined) {
        own = sectionsOfGroup(this.#parts.naming, group);
        this.#ofGroups.set(group, own);
        await this.#turns.step();
      }
      sections.push(...own);
    }
    return sections.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** The documents of a catalog that does not change. */
class CatalogDocuments {
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #renderer: SectionRenderer;
  readonly #turns: Turns;
  readonly #whole = new OnceEach<RenderedDocument>();

  constructor(sections: readonly Section[], renderer: SectionRenderer, turns: Turns) {
    this.#sections = new Map(sections.map((section) => [section.name, section]));
    this.#renderer = renderer;
    this.#turns = turns;
  }

  v2(form: DocumentForm): Promise<RenderedDocument> {
    return this.#whole.get(`v2 ${form}`, async () => {
      const parts = this.#renderer.swaggerParts([...this.#sections.values()]);
      const merged = form === "json" ? mergedJson : mergedProtobuf;
      const bytes = await merged(frameV2(this.#renderer.document), parts, this.#turns);
      return await RenderedDocument.of(bytes, this.#turns);
    });
  }

  v3Index(): Promise<RenderedDocument> {
    return this.#whole.get("v3", async () => {
      const paths: string[] = [];
      for (const section of this.#sections.values()) {
        if (!isDescribed(section)) continue;
        const serverRelativeURL = `/openapi/v3/${section.name}?hash=${await this.#renderer.v3Hash(section)}`;
        paths.push(`${printJsonString(section.name)}:${printJson({ serverRelativeURL })}`);
        await this.#turns.step();
      }
      return await RenderedDocument.of(Buffer.from(`{"paths":{${paths.join(",")}}}`), this.#turns);
    });
  }

  v3(name: string, form: DocumentForm): Promise<RenderedDocument> | undefined {
    const section = this.#sections.get(name);
    return section && isDescribed(section) ? this.#renderer.v3(section, form) : undefined;
  }

  v3Hash(name: string): Promise<string> | undefined {
    const section = this.#sections.get(name);
    return section && isDescribed(section) ? this.#renderer.v3Hash(section) : undefined;
  }
}

/** Other servers need not say anything of themselves. */
function isDescribed({ extension }: Section): boolean {
  return extension === undefined || extension.openApi3 !== undefined || extension.swagger !== undefined;
}
