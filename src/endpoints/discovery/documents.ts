import { createHash } from "node:crypto";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { apiVersionOf, type GroupVersionKind } from "../../apimachinery/objects/meta.js";
import {
  type ResourceDefinition,
  type SubresourceDefinition,
  subresourcesOf,
} from "../../apis/definition/resource-definition.js";
import type { ApiCatalog, ServedGroup, ServedResource, ServedVersion } from "../catalog/api-catalog.js";

/** `/api`: the versions of the core group, and the address of this server. */
export function coreVersionsDocument(catalog: ApiCatalog, serverAddress: string): JsonObject {
  const core = catalog.group("");
  return {
    kind: "APIVersions",
    versions: (core?.versions ?? []).map((v) => v.version),
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** `/apis`. */
export function groupList(groups: readonly JsonObject[]): JsonObject {
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

/** `/apis/GROUP`. */
export function groupDocument(group: ServedGroup): JsonObject {
  return { kind: "APIGroup", apiVersion: "v1", ...groupListEntry(group) };
}

export function groupListEntry(group: ServedGroup): JsonObject {
  const versions = group.versions.map(({ version }) => ({
    groupVersion: apiVersionOf({ group: group.group, version }),
    version,
  }));
  return { name: group.group, versions, preferredVersion: versions[0] ?? null };
}

export interface ResourceListSettings {
  /** Whether entries have storage version hashes: the gate StorageVersionHash. */
  readonly hashes: boolean;
  readonly level: ApiLevel;
}

/** Sorted by name, except for custom resources (those with a schema): as in Kubernetes, the status comes before the scale. */
export function subresourcesInOrder(served: ServedResource): readonly SubresourceDefinition[] {
  const subresources = subresourcesOf(served);
  return served.schema === undefined
    ? [...subresources].sort((a, b) => (a.name < b.name ? -1 : 1))
    : subresources;
}

/** `/api/v1`, `/apis/GROUP/VERSION`: resources in the order of their names, each with its subresources. */
export function resourceListDocument(
  group: string,
  served: ServedVersion,
  settings: ResourceListSettings,
): JsonObject {
  const resources = [...served.resources.values()]
    .sort((a, b) => (a.definition.resource < b.definition.resource ? -1 : 1))
    .flatMap((resource) => [
      resourceEntry(resource, settings),
      ...subresourcesInOrder(resource).map((s) => subresourceEntry(resource, s)),
    ]);
  return {
    kind: "APIResourceList",
    // Set in every version but the core one, which is older than the field.
    ...(group !== "" && { apiVersion: "v1" }),
    groupVersion: apiVersionOf({ group, version: served.version }),
    resources,
  };
}

function resourceEntry(served: ServedResource, { hashes, level }: ResourceListSettings): JsonObject {
  const { definition } = served;
  const hash = hashes ? storageVersionHash(definition) : undefined;
  return {
    name: definition.resource,
    singularName: singularName(served, level),
    namespaced: definition.namespaced,
    kind: definition.kind,
    verbs: definition.verbs,
    ...(definition.shortNames.length > 0 && { shortNames: definition.shortNames }),
    ...(definition.categories.length > 0 && { categories: definition.categories }),
    ...(hash !== undefined && { storageVersionHash: hash }),
  };
}

/** Empty for built-in kinds of older levels: clients derive it from the kind. */
export function singularName({ definition, schema }: ServedResource, level: ApiLevel): string {
  return schema === undefined && !isAtLeast(level, "1.27") ? "" : definition.singular;
}

function subresourceEntry({ definition }: ServedResource, subresource: SubresourceDefinition): JsonObject {
  const object = subresourceKind(subresource);
  return {
    name: `${definition.resource}/${subresource.name}`,
    singularName: "",
    namespaced: definition.namespaced,
    ...(object !== undefined && object.version !== "" && { group: object.group, version: object.version }),
    kind: object?.kind ?? definition.kind,
    verbs: subresource.verbs,
  };
}

/** The kind of a subresource that differs from its parent's; group and version are empty when they are the parent's. */
export function subresourceKind(subresource: SubresourceDefinition): GroupVersionKind | undefined {
  if (subresource.kind === "operation") return subresource.object;
  if (subresource.kind === "scale") return { group: "autoscaling", version: "v1", kind: "Scale" };
  return undefined;
}

/** Lets clients detect that the storage version of a resource has changed. */
function storageVersionHash(definition: ResourceDefinition): string | undefined {
  if (definition.storage === undefined) return undefined;
  const { storage, kind } = definition;
  return createHash("sha256")
    .update(`${storage.group ?? definition.group}/${storage.hashedVersion ?? storage.version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString("base64");
}
