import { type FeatureGateName, gateAt } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import { builtinResources } from "../../src/apis/builtin-resources.js";
import type { ApiContext } from "../../src/apis/definition/api-context.js";
import type { ResourceDefinition, VersionDefinition } from "../../src/apis/definition/resource-definition.js";
import type { Options } from "../../src/server/options/options.js";

export interface StoredKind {
  readonly definition: ResourceDefinition;
  /** Those that are served by default. */
  readonly versions: readonly VersionDefinition[];
  /** The resource, and the first part of its group: `deployments.apps`. */
  readonly name: string;
}

/** The kinds that a server stores and serves, unless options say otherwise. */
export function storedKinds(context: ApiContext): readonly StoredKind[] {
  return kindsWith(context, ({ enabledByDefault }) => enabledByDefault);
}

/** The kinds that a server stores and serves by the options of `servingEverything`. */
export function allStoredKinds(context: ApiContext): readonly StoredKind[] {
  return kindsWith(context, () => true);
}

/** The options with which a server has every kind of its level in every version. */
export function servingEverything(
  context: ApiContext,
): Pick<Options, "apiLevel" | "featureGates" | "runtimeConfig"> {
  const gates = builtinResources(context).flatMap(({ versions }) =>
    versions.flatMap(({ featureGate }) => featureGate ?? []),
  );
  return {
    apiLevel: context.level,
    featureGates: new Map(
      gates.flatMap((gate): [FeatureGateName, boolean][] => {
        const { locked = false } = gateAt(gate, context.level) ?? { locked: true };
        return locked ? [] : [[gate, true]];
      }),
    ),
    runtimeConfig: new Map([["api/all", "true"]]),
  };
}

function kindsWith(
  context: ApiContext,
  isServed: (version: VersionDefinition) => boolean,
): readonly StoredKind[] {
  return builtinResources(context)
    .filter((definition) => definition.storage !== undefined)
    .map((definition) => ({
      definition,
      versions: definition.versions.filter(isServed),
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
