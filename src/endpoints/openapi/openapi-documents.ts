import { IdleEviction } from "../../apimachinery/collections/idle-eviction.js";
import { SingleFlight } from "../../apimachinery/collections/single-flight.js";
import { printJson, printJsonString } from "../../apimachinery/json/json-print.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { collect } from "../../event-loop/collect.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { ApiCatalog, ServedGroup } from "../catalog/api-catalog.js";
import { frameV2 } from "./document-v2.js";
import { mergedJson, mergedProtobuf } from "./merge-swagger.js";
import { RenderedDocument } from "./rendered-document.js";
import { type DocumentForm, SectionRenderer, type SectionRendererParts } from "./section-renderer.js";
import { fixedSections, type Section, sectionsOfGroup } from "./sections.js";

export interface OpenApiParts extends SectionRendererParts {
  readonly catalog: ApiCatalog;
  /** Whether the keys of service account tokens are published. Default: false. */
  readonly issuerDiscovery?: boolean | undefined;
  /** Whether files of logs are served. Default: false. */
  readonly logFiles?: boolean | undefined;
}

/** Clients ask for documents when they start, and the parts of the documents take 6 MB. */
const unusedMs = 45_000;

/**
 * The OpenAPI documents of everything that is served. Each is generated on first use and cached while its content is the same: when the
 * catalog changes, only the changed versions are generated again. Unused documents are all dropped after a while.
 */
export class OpenApiDocuments {
  readonly #parts: OpenApiParts;
  readonly #fixed: readonly Section[];
  readonly #ofGroups = new WeakMap<ServedGroup, readonly Section[]>();
  #renderer: SectionRenderer | undefined;
  #current: { readonly groups: readonly ServedGroup[]; readonly documents: CatalogDocuments } | undefined;

  readonly #use = new IdleEviction<OpenApiDocuments>(unusedMs, () => {
    this.#renderer = undefined;
    this.#current = undefined;
  });

  constructor(parts: OpenApiParts) {
    this.#parts = parts;
    this.#fixed = fixedSections(parts.naming, parts);
  }

  /** Everything as Swagger 2.0. */
  async v2(form: DocumentForm): Promise<RenderedDocument> {
    return await this.#documents().v2(form);
  }

  /** The paths of the OpenAPI 3 documents, each with a hash that changes with its content. */
  async v3Index(): Promise<RenderedDocument> {
    return await this.#documents().v3Index();
  }

  /** One section, `apis/apps/v1`; undefined when there is none of that name. */
  async v3(section: string, form: DocumentForm): Promise<RenderedDocument | undefined> {
    return await this.#documents().v3(section, form);
  }

  /** Changes whenever the document of a section does; the same for all of its forms. */
  async v3Hash(section: string): Promise<string | undefined> {
    return await this.#documents().v3Hash(section);
  }

  #documents(): CatalogDocuments {
    this.#use.used(this);
    this.#renderer ??= new SectionRenderer(this.#parts);
    const groups = this.#parts.catalog.groups();
    if (this.#current?.groups !== groups) {
      this.#renderer.serve(groups);
      const sections = {
        all: () => this.#sectionsOf(groups),
        named: (name: string) => this.#sectionNamed(name, groups),
      };
      this.#current = {
        groups,
        documents: new CatalogDocuments(sections, this.#renderer, this.#undescribed),
      };
    }
    return this.#current.documents;
  }

  /** Before 1.27, Kubernetes' aggregator omits its own group from OpenAPI 3. At 1.23 it has no OpenAPI 3, unless its gate is on. */
  get #undescribed(): string | undefined {
    const { naming, level } = this.#parts;
    if (level === "1.23" || isAtLeast(level, "1.27")) return undefined;
    return `apis/${naming.group("apiregistration")}`;
  }

  async #sectionsOf(groups: readonly ServedGroup[]): Promise<Section[]> {
    const ofGroups = await collect(this.#sectionsOfEach(groups));
    return [...this.#fixed, ...ofGroups.flat()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  *#sectionsOfEach(groups: readonly ServedGroup[]): Iterable<readonly Section[]> {
    for (const group of groups) yield this.#sectionsOfGroup(group);
  }

  #sectionNamed(name: string, groups: readonly ServedGroup[]): Section | undefined {
    const isNamed = (section: Section): boolean => section.name === name;
    const [root, ofGroup] = name.split("/");
    const group = groups.find((each) => each.group === (root === "api" ? "" : ofGroup));
    return this.#fixed.find(isNamed) ?? (group && this.#sectionsOfGroup(group).find(isNamed));
  }

  #sectionsOfGroup(group: ServedGroup): readonly Section[] {
    let own = this.#ofGroups.get(group);
    if (own === undefined) {
      own = sectionsOfGroup(this.#parts.naming, group);
      this.#ofGroups.set(group, own);
    }
    return own;
  }
}

/** The sections of one state of the catalog. */
interface CatalogSections {
  /** In the order of their names. */
  readonly all: () => Promise<readonly Section[]>;
  /** Creates only the sections of the named section's group. */
  readonly named: (name: string) => Section | undefined;
}

/** The documents of one state of the catalog. */
class CatalogDocuments {
  readonly #sections: CatalogSections;
  readonly #renderer: SectionRenderer;
  readonly #undescribed: string | undefined;
  readonly #whole = new SingleFlight<RenderedDocument>();

  /** `undescribed` names the section without OpenAPI 3 documents. */
  constructor(sections: CatalogSections, renderer: SectionRenderer, undescribed: string | undefined) {
    this.#sections = sections;
    this.#renderer = renderer;
    this.#undescribed = undescribed;
  }

  v2(form: DocumentForm): Promise<RenderedDocument> {
    return this.#whole.get(`v2 ${form}`, async () => {
      const parts = this.#renderer.swaggerParts(await this.#sections.all());
      const merged = form === "json" ? mergedJson : mergedProtobuf;
      return await RenderedDocument.of(await merged(frameV2(this.#renderer.document), parts));
    });
  }

  v3Index(): Promise<RenderedDocument> {
    return this.#whole.get("v3", async () => {
      const paths: string[] = [];
      for (const section of await this.#sections.all()) {
        if (!this.#isDescribed(section)) continue;
        const serverRelativeURL = `/openapi/v3/${section.name}?hash=${await this.#renderer.v3Hash(section)}`;
        paths.push(`${printJsonString(section.name)}:${printJson({ serverRelativeURL })}`);
        await turnIfRoundIsOver();
      }
      return await RenderedDocument.of(Buffer.from(`{"paths":{${paths.join(",")}}}`));
    });
  }

  v3(name: string, form: DocumentForm): Promise<RenderedDocument> | undefined {
    const section = this.#sections.named(name);
    return section && this.#isDescribed(section) ? this.#renderer.v3(section, form) : undefined;
  }

  v3Hash(name: string): Promise<string> | undefined {
    const section = this.#sections.named(name);
    return section && this.#isDescribed(section) ? this.#renderer.v3Hash(section) : undefined;
  }

  /** Extension servers may have no description. */
  #isDescribed({ name, extension }: Section): boolean {
    const undescribed = this.#undescribed;
    if (undescribed !== undefined && `${name}/`.startsWith(`${undescribed}/`)) return false;
    return extension === undefined || extension.openApi3 !== undefined || extension.swagger !== undefined;
  }
}
