import { SingleFlight } from "../../apimachinery/collections/single-flight.js";
import { printJsonByEngine } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { metaV1Types } from "../../apimachinery/meta-types/v1.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { apidiscoveryV2Types } from "../../apis/apidiscovery/v2/types.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import { isDiscoveryDocumentGroup } from "../../naming/qualified-names.js";
import type { ApiCatalog, ServedGroup } from "../catalog/api-catalog.js";
import { unservedPath } from "../catalog/unserved-path.js";
import { type DiscoveryRoot, groupDiscovery, groupDiscoveryEntry } from "./aggregated.js";
import { DiscoveryDocument } from "./discovery-document.js";
import {
  coreVersionsDocument,
  groupDocument,
  groupList,
  groupListEntry,
  resourceListDocument,
} from "./documents.js";

export interface DiscoveryParts {
  readonly catalog: ApiCatalog;
  /** Where clients reach this server, for `/api`. */
  readonly serverAddress: () => string;
  /** The gate StorageVersionHash. */
  readonly storageVersionHashes: boolean;
  readonly level: ApiLevel;
}

/** The other form of `/api` and `/apis`, as media types name it. */
export interface DiscoveryForm {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

export type AggregatedVersion = "v2" | "v2beta1";

/** Whether the client accepts the aggregated form, in one of `versions`. */
export function isAggregatedForm(
  { kind, group, version }: DiscoveryForm,
  versions: readonly AggregatedVersion[],
): boolean {
  return (
    kind === "APIGroupDiscoveryList" &&
    isDiscoveryDocumentGroup(group) &&
    versions.some((known) => known === version)
  );
}

/**
 * The discovery documents: one per group and version, and the aggregated ones. Each is cached until its content changes, so a change of the
 * catalog costs only what changed: lists are concatenated from the texts of their groups.
 */
export class DiscoveryDocuments {
  readonly #parts: DiscoveryParts;
  #types: SchemaRegistry | undefined;
  /** Documents of single groups and versions. */
  readonly #single = new WeakMap<object, DiscoveryDocument>();
  readonly #entries = {
    classic: new WeakMap<ServedGroup, string>(),
    aggregated: new WeakMap<ServedGroup, string>(),
  };
  /** By the catalog's array of groups, so that the lists of an earlier catalog are freed with it. */
  readonly #lists = new WeakMap<readonly ServedGroup[], SingleFlight<DiscoveryDocument>>();

  constructor(parts: DiscoveryParts) {
    this.#parts = parts;
  }

  /**
   * The unaggregated document of `/api`, `/apis`, `/api/v1`, `/apis/GROUP` or `/apis/GROUP/VERSION`. Rejects with 404 for any other path.
   */
  async at(path: string): Promise<DiscoveryDocument> {
    const { catalog, serverAddress, storageVersionHashes: hashes, level } = this.#parts;
    const [root, ...rest] = path.replace(/^\/|\/+$/g, "").split("/");
    if (rest.length === 0) {
      return root === "api"
        ? this.#document(() => coreVersionsDocument(catalog, serverAddress()))
        : await this.#groupList();
    }
    const groupName = root === "api" ? "" : (rest.shift() ?? "");
    const [versionName, ...more] = rest;
    const group = catalog.group(groupName);
    if (group === undefined || more.length > 0 || (root === "apis" && groupName === "")) {
      throw unservedPath(root === "api" ? group : undefined);
    }
    if (versionName === undefined) return this.#kept(group, () => groupDocument(group));
    const version = group.versions.find((each) => each.version === versionName);
    if (version === undefined) throw unservedPath(group);
    return this.#kept(version, () => resourceListDocument(groupName, version, { hashes, level }));
  }

  /** Groups, versions, resources and subresources in one document. `apiVersion` is the requested one, by its name in either profile. */
  async aggregated(root: DiscoveryRoot, apiVersion: string): Promise<DiscoveryDocument> {
    return await this.#list(`${root} ${apiVersion}`, {
      isListed: ({ group }) => (group === "") === (root === "api"),
      texts: this.#entries.aggregated,
      entry: (group) => groupDiscoveryEntry(group, this.#parts.level),
      list: (items) => groupDiscovery(apiVersion, items),
    });
  }

  async #groupList(): Promise<DiscoveryDocument> {
    return await this.#list("groups", {
      isListed: ({ group }) => group !== "",
      texts: this.#entries.classic,
      entry: groupListEntry,
      list: groupList,
    });
  }

  /** `list` puts the entries last. */
  #list(
    name: string,
    of: {
      readonly isListed: (group: ServedGroup) => boolean;
      readonly texts: WeakMap<ServedGroup, string>;
      readonly entry: (group: ServedGroup) => JsonObject;
      readonly list: (entries: readonly JsonObject[]) => JsonObject;
    },
  ): Promise<DiscoveryDocument> {
    const groups = this.#parts.catalog.groups();
    let documents = this.#lists.get(groups);
    if (documents === undefined) {
      documents = new SingleFlight();
      this.#lists.set(groups, documents);
    }
    return documents.get(name, async () => {
      const listed = groups.filter(of.isListed);
      const entries: string[] = [];
      for (const group of listed) {
        let text = of.texts.get(group);
        if (text === undefined) {
          text = printJsonByEngine(of.entry(group));
          of.texts.set(group, text);
        }
        entries.push(text);
        await turnIfRoundIsOver();
      }
      const empty = printJsonByEngine(of.list([]));
      const json = `${empty.slice(0, -"]}".length)}${entries.join(",")}]}\n`;
      return this.#document(() => of.list(listed.map(of.entry)), json);
    });
  }

  #kept(of: object, describe: () => JsonObject): DiscoveryDocument {
    let document = this.#single.get(of);
    if (document === undefined) {
      document = this.#document(describe);
      this.#single.set(of, document);
    }
    return document;
  }

  #document(describe: () => JsonObject, json?: string): DiscoveryDocument {
    return new DiscoveryDocument(describe, (document) => this.#protobuf(document), json);
  }

  #protobuf(document: JsonObject): Uint8Array {
    this.#types ??= new SchemaRegistry([metaV1Types, apidiscoveryV2Types], { level: this.#parts.level });
    const { kind } = document;
    const packageName = kind === "APIGroupDiscoveryList" ? "apidiscovery/v2" : "meta/v1";
    const codec = this.#types.codec(`${packageName}.${String(kind)}`);
    // Documents of the core group have no apiVersion.
    const apiVersion = typeof document.apiVersion === "string" ? document.apiVersion : "";
    return encodeEnvelope({ kind: String(kind), apiVersion }, codec.toProto(codec.fromJson(document)));
  }
}
