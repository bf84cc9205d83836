import { qualifiedResource } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";

type Named = Pick<ResourceDefinition, "group" | "kind" | "resource" | "storage">;

/** The labels that name a resource, and their values. */
export interface ResourceLabels {
  readonly labels: readonly string[];
  values(definition: Named, isList?: boolean): readonly string[];
}

export interface StorageLabels {
  readonly ofStore: ResourceLabels;
  readonly ofCache: ResourceLabels;
  readonly ofCacheLists: ResourceLabels;
  readonly ofDurations: ResourceLabels;
  readonly ofConsistentReads: ResourceLabels;
}

/**
 * The labels by which metrics of stores and caches name a resource: until 1.25 partly its type (`*core.Pod`); until 1.33 its name
 * (`deployments.apps`) or storage prefix; then group and resource.
 */
export function storageLabels(level: ApiLevel): StorageLabels {
  if (isAtLeast(level, "1.34")) {
    const both: ResourceLabels = {
      labels: ["group", "resource"],
      values: ({ group, resource }) => [group, resource],
    };
    return { ofStore: both, ofCache: both, ofCacheLists: both, ofDurations: both, ofConsistentReads: both };
  }
  const byName: ResourceLabels = {
    labels: ["resource"],
    values: (definition) => [qualifiedResource(definition)],
  };
  const byType: ResourceLabels = {
    labels: ["resource"],
    values: (definition, isList = false) => [`${typeOf(definition)}${isList ? "List" : ""}`],
  };
  const byPlace: ResourceLabels = {
    labels: ["resource_prefix"],
    values: ({ storage }) => [storage?.prefix ?? ""],
  };
  const of = isAtLeast(level, "1.26") ? byName : byType;
  return {
    ofStore: byName,
    ofCache: of,
    ofCacheLists: byPlace,
    ofDurations: { ...of, labels: ["type"] },
    ofConsistentReads: { ...byPlace, labels: ["resource"] },
  };
}

/** Names of types as in Kubernetes: `*core.Pod`, `*rbac.Role`. */
function typeOf({ group, kind }: Named): string {
  const [name = ""] = group.split(".", 1);
  return `*${name === "" ? "core" : name}.${kind}`;
}
