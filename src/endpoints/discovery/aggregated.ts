import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { SubresourceDefinition } from "../../apis/definition/resource-definition.js";
import type { ServedGroup, ServedResource } from "../catalog/api-catalog.js";
import { singularName, subresourceKind, subresourcesInOrder } from "./documents.js";
import { extensionResources } from "./extension-resources.js";

/** The requested path: `/api` has the core group, `/apis` all others. */
export type DiscoveryRoot = "api" | "apis";

/**
 * Groups, versions, resources and subresources in one document, in the form of `apidiscovery` v2; v2beta1 differs only in name.
 * `apiVersion` is the requested group and version.
 */
export function groupDiscovery(apiVersion: string, items: readonly JsonObject[]): JsonObject {
  return { kind: "APIGroupDiscoveryList", apiVersion, metadata: {}, items };
}

export function groupDiscoveryEntry({ group, versions }: ServedGroup, level: ApiLevel): JsonObject {
  return {
    metadata: {
      ...(group !== "" && { name: group }),
      ...(!isAtLeast(level, "1.34") && { creationTimestamp: null }),
    },
    versions: versions.map(({ version, resources, extension }) =>
      extension === undefined
        ? {
            version,
            resources: [...resources.values()].sort(byResource).map((each) => resourceEntry(each, level)),
            freshness: "Current",
          }
        : {
            version,
            resources: extension.aggregated ?? extensionResources(extension.resources),
            freshness: extension.target() === undefined ? "Stale" : "Current",
          },
    ),
  };
}

function resourceEntry(served: ServedResource, level: ApiLevel): JsonObject {
  const { definition, version, schema } = served;
  const { shortNames, categories } = definition;
  const subresources = subresourcesInOrder(served);
  // Empty means the document's version. Built-in kinds leave it empty, as in their unaggregated documents.
  const own = schema === undefined ? builtin : { group: definition.group, version: version.version };
  const parent = { ...own, kind: definition.kind };
  return {
    resource: definition.resource,
    responseKind: parent,
    scope: definition.namespaced ? "Namespaced" : "Cluster",
    singularResource: singularName(served, level),
    verbs: definition.verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => ({
        subresource: subresource.name,
        responseKind: responseKind(subresource, parent),
        verbs: subresource.verbs,
      })),
    }),
  };
}

const builtin = { group: "", version: "" };

function responseKind(
  subresource: SubresourceDefinition,
  parent: { readonly group: string; readonly version: string; readonly kind: string },
): JsonObject {
  const own = subresourceKind(subresource);
  if (own === undefined) return parent;
  const { group, version, kind } = own;
  return version === "" ? { ...parent, kind } : { group, version, kind };
}

function byResource(a: ServedResource, b: ServedResource): number {
  return a.definition.resource < b.definition.resource ? -1 : 1;
}
