import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import { groupOrder } from "../../apis/group-order.js";
import { deprecationAnnotations, deprecationWarning } from "../../endpoints/catalog/deprecation-warning.js";
import type {
  DiscoveryPriority,
  OfferedVersion,
  ResourceOffer,
} from "../../endpoints/catalog/resource-offer.js";
import type { KindParts } from "../../endpoints/kinds/kind-behaviour.js";
import { behaviourOf } from "../../endpoints/kinds/kind-behaviours.js";
import type { Naming } from "../../naming/naming.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { RuntimeConfig } from "../options/runtime-config.js";

export interface ServedVersionsParts {
  readonly naming: Naming;
  readonly level: ApiLevel;
  readonly gates: Pick<FeatureGates, "isEnabled">;
  readonly definitions: readonly ResourceDefinition[];
  readonly runtimeConfig: RuntimeConfig;
}

export interface BuiltinOffersParts extends ServedVersionsParts {
  /** What the strategies of kinds need. */
  readonly kindParts: KindParts;
}

/** The built-in kinds, served in the versions that `--runtime-config` enables. All of them are stored. */
export function builtinOffers(parts: BuiltinOffersParts): readonly ResourceOffer[] {
  return servedVersions(parts).map(({ definition, served }) => ({
    definition,
    hooks: behaviourOf(definition, parts.naming)?.hooks?.(parts.kindParts),
    served: served.map((each) => offeredVersion(parts, definition, each)),
  }));
}

export interface ServedVersion {
  readonly version: VersionDefinition;
  readonly priority: DiscoveryPriority;
}

/** Which versions of the built-in kinds are served. */
export function servedVersions(
  parts: ServedVersionsParts,
): readonly { readonly definition: ResourceDefinition; readonly served: readonly ServedVersion[] }[] {
  const order = new Map(groupOrder(parts.naming, parts.level).map((ofGroup) => [ofGroup.group, ofGroup]));
  return parts.definitions.map((definition) => {
    const ofGroup = order.get(definition.group);
    const served = definition.versions.flatMap((version): ServedVersion[] => {
      const priority = ofGroup?.versionPriorities.get(version.version);
      if (ofGroup === undefined || priority === undefined) return [];
      if (!isServed(parts, definition, version)) return [];
      return [{ version, priority: { group: ofGroup.groupPriorityMinimum, version: priority } }];
    });
    return { definition, served };
  });
}

function isServed(
  { gates, runtimeConfig }: ServedVersionsParts,
  { group, resource }: ResourceDefinition,
  { version, featureGate, enabledByDefault }: VersionDefinition,
): boolean {
  if (featureGate !== undefined && !gates.isEnabled(featureGate)) return false;
  return runtimeConfig.isEnabled({ group, version }, resource, enabledByDefault);
}

function offeredVersion(
  { naming, level, kindParts }: BuiltinOffersParts,
  definition: ResourceDefinition,
  { version, priority }: ServedVersion,
): OfferedVersion {
  const behaviour = behaviourOf(definition, naming);
  return {
    version,
    priority,
    deprecationWarning: deprecationWarning(definition, version, level),
    deprecationAnnotations: deprecationAnnotations(version, level, naming.groupDomain),
    operations: mapOf(behaviour?.operations?.(kindParts, definition, version)),
    connections: mapOf(behaviour?.connections?.(kindParts)),
  };
}

function mapOf<T>(members: Readonly<Record<string, T>> = {}): ReadonlyMap<string, T> {
  return new Map(Object.entries(members));
}
