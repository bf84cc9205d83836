import type { AdmissionChain } from "../admission/admission-chain.js";
import type { ResourceDefinition, VersionDefinition } from "../apis/definition/resource-definition.js";
import { groupOrder } from "../apis/group-order.js";
import {
  type ApiCatalog,
  createCatalog,
  type ServedResource,
  type ServedVersion,
} from "../endpoints/api-catalog.js";
import type { ConnectHandler } from "../endpoints/connect/connect-handler.js";
import { deprecationWarning } from "../endpoints/deprecation-warning.js";
import type { OperationHandler } from "../endpoints/operation.js";
import type { EndpointSettings } from "../endpoints/resource-endpoint.js";
import type { Naming } from "../naming/naming.js";
import type { RuntimeConfig } from "./options/runtime-config.js";
import type { ResourceSet } from "./resource-set.js";
import { apiVersionInfo } from "./version.js";

export interface CatalogParts {
  readonly naming: Naming;
  readonly definitions: readonly ResourceDefinition[];
  readonly resources: ResourceSet;
  readonly runtimeConfig: RuntimeConfig;
  readonly admission: AdmissionChain;
  readonly settings: EndpointSettings;
  readonly operationsOf: (
    definition: ResourceDefinition,
    version: VersionDefinition,
  ) => ReadonlyMap<string, OperationHandler>;
  readonly connectionsOf: (definition: ResourceDefinition) => ReadonlyMap<string, ConnectHandler>;
}

const apiRelease = `${apiVersionInfo.major}.${apiVersionInfo.minor}`;

/** The built-in kinds that `--runtime-config` leaves switched on, in the order of discovery. */
export function buildCatalog(parts: CatalogParts): ApiCatalog {
  const groups = groupOrder(parts.naming).map(({ group, versions }) => ({
    group,
    versions: versions
      .map((version) => servedVersion(parts, group, version))
      .filter((served) => served.resources.size > 0),
  }));
  return createCatalog(groups.filter((group) => group.versions.length > 0));
}

function servedVersion(parts: CatalogParts, group: string, version: string): ServedVersion {
  const resources = new Map<string, ServedResource>();
  for (const definition of parts.definitions) {
    if (definition.group !== group) continue;
    const found = definition.versions.find((v) => v.version === version);
    if (found === undefined) continue;
    const enabled = parts.runtimeConfig.isEnabled(
      { group, version },
      definition.resource,
      found.enabledByDefault,
    );
    if (enabled) resources.set(definition.resource, servedResource(parts, definition, found));
  }
  return { version, resources };
}

function servedResource(
  parts: CatalogParts,
  definition: ResourceDefinition,
  version: VersionDefinition,
): ServedResource {
  return {
    definition,
    version,
    deprecationWarning: deprecationWarning(definition, version, apiRelease),
    endpoint: parts.resources.endpoint(definition, version, parts.admission, parts.settings),
    operations: parts.operationsOf(definition, version),
    connections: parts.connectionsOf(definition),
  };
}
