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

export interface BuiltinOffersParts {
  readonly naming: Naming;
  readonly level: ApiLevel;
  readonly gates: Pick<FeatureGates, "enabled">;
  readonly definitions: readonly ResourceDefinition[];
  readonly runtimeConfig: RuntimeConfig;
  /** What the behaviours of kinds work with. */
  readonly kindParts: KindParts;
}

/** The built-in kinds, served in the versions that `--runtime-config` enables. All of them are stored. */
export function builtinOffers(parts: BuiltinOffersParts): readonly ResourceOffer[] {
  const priorities = new Map(
    groupOrder(parts.naming, parts.level).map(({ group, groupPriorityMinimum, versionPriorities }) => [
      group,
      { group: groupPriorityMinimum, versions: versionPriorities },
    ]),
  );
  return parts.definitions.map((definition) => {
    const ofGroup = priorities.get(definition.group);
    return {
      definition,
      hooks: behaviourOf(definition, parts.naming)?.hooks?.(parts.kindParts),
      served: definition.versions.flatMap((version) => {
        const priority = ofGroup?.versions.get(version.version);
        if (ofGroup === undefined || priority === undefined) return [];
        return offeredVersion(parts, definition, version, { group: ofGroup.group, version: priority });
      }),
    };
  });
}

function offeredVersion(
  parts: BuiltinOffersParts,
  definition: ResourceDefinition,
  version: VersionDefinition,
  priority: DiscoveryPriority,
): OfferedVersion[] {
  const { group, resource } = definition;
  const of = { group, version: version.version };
  const behaviour = behaviourOf(definition, parts.naming);
  const { featureGate } = version;
  if (featureGate !== undefined && !parts.gates.enabled(featureGate)) return [];
  if (!parts.runtimeConfig.isEnabled(of, resource, version.enabledByDefault)) return [];
  return [
    {
      version,
      priority,
      deprecationWarning: deprecationWarning(definition, version, parts.level),
      deprecationAnnotations: deprecationAnnotations(version, parts.level, parts.naming.groupDomain),
      operations: mapOf(behaviour?.operations?.(parts.kindParts, definition, version)),
      connections: mapOf(behaviour?.connections?.(parts.kindParts)),
    },
  ];
}

function mapOf<T>(members: Readonly<Record<string, T>> = {}): ReadonlyMap<string, T> {
  return new Map(Object.entries(members));
}
