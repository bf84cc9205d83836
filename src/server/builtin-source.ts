import type { ApiObject } from "../apimachinery/meta.js";
import type { ResourceDefinition, VersionDefinition } from "../apis/definition/resource-definition.js";
import { groupOrder } from "../apis/group-order.js";
import type {
  DiscoveryPriority,
  OfferedVersion,
  ResourceOffer,
} from "../endpoints/catalog/resource-offer.js";
import type { ConnectHandler } from "../endpoints/connect/connect-handler.js";
import { deprecationAnnotations, deprecationWarning } from "../endpoints/deprecation-warning.js";
import type { OperationHandler } from "../endpoints/operation.js";
import type { Naming } from "../naming/naming.js";
import type { RegistryHooks } from "../registry/generic/resource-registry.js";
import type { RuntimeConfig } from "./options/runtime-config.js";
import { apiVersionInfo } from "./version.js";

export interface BuiltinOffersParts {
  readonly naming: Naming;
  readonly definitions: readonly ResourceDefinition[];
  readonly runtimeConfig: RuntimeConfig;
  readonly hooksOf: (definition: ResourceDefinition) => RegistryHooks<ApiObject> | undefined;
  readonly operationsOf: (
    definition: ResourceDefinition,
    version: VersionDefinition,
  ) => ReadonlyMap<string, OperationHandler>;
  readonly connectionsOf: (definition: ResourceDefinition) => ReadonlyMap<string, ConnectHandler>;
}

const apiRelease = `${apiVersionInfo.major}.${apiVersionInfo.minor}`;

/** The built-in kinds, served in the versions that `--runtime-config` leaves switched on. All of them are stored. */
export function builtinOffers(parts: BuiltinOffersParts): readonly ResourceOffer[] {
  const priorities = new Map(
    groupOrder(parts.naming).map(({ group, groupPriorityMinimum, versionPriorities }) => [
      group,
      { group: groupPriorityMinimum, versions: versionPriorities },
    ]),
  );
  return parts.definitions.map((definition) => {
    const ofGroup = priorities.get(definition.group);
    return {
      definition,
      hooks: parts.hooksOf(definition),
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
  if (!parts.runtimeConfig.isEnabled(of, resource, version.enabledByDefault)) return [];
  return [
    {
      version,
      priority,
      deprecationWarning: deprecationWarning(definition, version, apiRelease),
      deprecationAnnotations: deprecationAnnotations(version, apiRelease, parts.naming.groupDomain),
      operations: parts.operationsOf(definition, version),
      connections: parts.connectionsOf(definition),
    },
  ];
}
