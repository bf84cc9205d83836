import { builtinResources } from "../../src/apis/builtin-resources.js";
import type { ApiContext } from "../../src/apis/definition/api-context.js";
import type { ResourceDefinition, VersionDefinition } from "../../src/apis/definition/resource-definition.js";

export interface StoredKind {
  readonly definition: ResourceDefinition;
  /** Those that are served unless disabled. */
  readonly versions: readonly VersionDefinition[];
  /** The resource, and the first part of its group: `deployments.apps`. */
  readonly name: string;
}

/** The kinds that a server stores and serves. */
export function storedKinds(context: ApiContext): readonly StoredKind[] {
  return builtinResources(context)
    .filter((definition) => definition.storage !== undefined)
    .map((definition) => ({
      definition,
      versions: definition.versions.filter((version) => version.enabledByDefault),
      name: [definition.resource, ...definition.group.split(".").slice(0, 1)]
        .filter((part) => part !== "")
        .join("."),
    }))
    .filter(({ versions }) => versions.length > 0);
}

/** The path of a kind's objects, in the namespace `default` if it is namespaced. */
export function collectionOf(definition: ResourceDefinition, version: string): string {
  const root = definition.group === "" ? `/api/${version}` : `/apis/${definition.group}/${version}`;
  return `${root}${definition.namespaced ? "/namespaces/default" : ""}/${definition.resource}`;
}
