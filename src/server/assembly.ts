import { randomInt } from "node:crypto";
import type { Authenticator } from "../access/authentication/authenticator.js";
import { createTokenAuthenticator } from "../access/authentication/token-union.js";
import type { Authorizer } from "../access/authorization/authorizer.js";
import { createAuthorizer } from "../access/authorization/modes.js";
import { type AdmissionChain, createAdmissionChain } from "../admission/admission-chain.js";
import { namespaceLifecycle } from "../admission/plugins/namespace-lifecycle.js";
import type { ApiObject } from "../apimachinery/meta.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import { builtinResources } from "../apis/builtin-resources.js";
import type { ApiContext } from "../apis/definition/api-context.js";
import type { Scale } from "../apis/gen/autoscaling-v1.js";
import type { Namespace, RangeAllocation, Service } from "../apis/gen/core-v1.js";
import type { DeleteOptions } from "../apis/gen/meta-v1.js";
import { typePackages } from "../apis/type-packages.js";
import type { ControllerContext } from "../controllers/controller.js";
import { controllerUser } from "../controllers/controller.js";
import type { ApiCatalog } from "../endpoints/api-catalog.js";
import type { ConnectTls } from "../endpoints/connect/connect-result.js";
import { ManagedFieldsTracking } from "../endpoints/managed-fields-tracking.js";
import type { EndpointSettings } from "../endpoints/resource-endpoint.js";
import { createScaleView } from "../endpoints/scale-view.js";
import type { Naming } from "../naming/naming.js";
import {
  createServiceAllocation,
  type ServiceAllocation,
} from "../registry/core/service/service-allocation.js";
import type { RegistryContext } from "../registry/generic/registry-context.js";
import type { RegistryHooks } from "../registry/generic/resource-registry.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { systemClock } from "../storage/clock.js";
import type { ApiServerParts } from "./api-server-parts.js";
import { buildCatalog } from "./catalog.js";
import { defaultServiceRange } from "./cluster-addresses.js";
import { componentProbes } from "./component-probes.js";
import { type ConnectionsParts, connectionsOf } from "./connections.js";
import type { Stores } from "./open-store.js";
import { type OperationsParts, operationsOf } from "./operations.js";
import { FeatureGates, isFeatureGateName } from "./options/feature-gates.js";
import type { Options } from "./options/options.js";
import { createRuntimeConfig, type RuntimeConfig } from "./options/runtime-config.js";
import { systemRandom } from "./random.js";
import { ResourceSet } from "./resource-set.js";
import { type ServiceAccountTokens, tokenObjectLookup } from "./service-account-tokens.js";

/** What was read from files before anything was put together. */
export interface AssemblyInputs {
  readonly stores: Stores;
  /** In the order they are asked; those that look into the store come after them. */
  readonly mechanisms: readonly Authenticator[];
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly nodeAgentTls: ConnectTls;
}

/** The resource API over its stores, and what the rest of the server asks of it. */
export interface Assembly {
  readonly schemas: SchemaRegistry;
  readonly catalog: ApiCatalog;
  readonly controllerContext: ControllerContext;
  readonly gates: FeatureGates;
  readonly stores: Stores;
  readonly mechanisms: readonly Authenticator[];
  readonly authorizer: Authorizer;
  readonly services: ServiceAllocation;
  readonly serviceAccountTokens: ServiceAccountTokens;
}

/** The resource API over a store. */
export function assemble(parts: ApiServerParts, inputs: AssemblyInputs): Assembly {
  const { options, naming, log } = parts;
  const { stores, serviceAccountTokens } = inputs;
  const gates = new FeatureGates(options.featureGates);
  const schemas = new SchemaRegistry(typePackages, { fieldName: (neutral) => naming.field(neutral) });
  const services = allocation(parts, stores, schemas, () => resources);
  const context: ApiContext = {
    naming,
    schemas,
    // Gates that are named after vendors are not in the table; those that kinds ask for are on in this version.
    isEnabled: (gate) => !isFeatureGateName(gate) || gates.enabled(gate),
    options: {
      allowPrivileged: options.allowPrivileged,
      eventTtlSeconds: options.eventTtlMs / 1000,
      serviceIpFamilies: services.families,
    },
  };
  const definitions = builtinResources(context);
  warnOfUnknownResources(options, definitions, log);
  const resources: ResourceSet = new ResourceSet({
    definitions,
    storageMediaType: options.storageMediaType,
    openStore: (definition, codec) => stores.openObjects(definition, codec),
    random: systemRandom,
    garbageCollection: options.enableGarbageCollector,
    hooksOf: ({ group, resource }) =>
      group === "" && resource === "services" ? hooksOf(services) : undefined,
  });
  const controllerContext: ControllerContext = {
    registry: (group, resource) => resources.registry(group, resource),
    registries: () => resources.registries(),
    log,
    now: () => new Date(),
  };
  const settings = endpointSettings(options, naming, gates, schemas);
  const authorizer = createAuthorizer(options.authorizationMode);
  const lookup = tokenObjectLookup((resource) => resources.registry("", resource));
  const mechanisms = [...inputs.mechanisms, serviceAccountTokens.authenticator(lookup)];
  const admission = createAdmission(controllerContext, naming);
  const operations: OperationsParts = {
    options,
    naming,
    schemas,
    settings,
    registry: (group, resource) => resources.registry(group, resource),
    admission,
    authorizer,
    authenticateToken: createTokenAuthenticator(mechanisms, serviceAccountTokens.apiAudiences),
    serviceAccountTokens,
    components: componentProbes({
      naming,
      checkStore: () => stores.checkHealth(),
      storeServers: options.storeServers.length,
    }),
  };
  const connections: ConnectionsParts = {
    options,
    naming,
    registry: (group, resource) => resources.registry(group, resource),
    admission,
    nodeAgentTls: inputs.nodeAgentTls,
  };
  const catalog = buildCatalog({
    naming,
    definitions,
    resources,
    runtimeConfig: runtimeConfigOf(options, definitions),
    admission,
    settings,
    operationsOf: (definition, version) => operationsOf(operations, definition, version),
    connectionsOf: (definition) => connectionsOf(connections, definition),
  });
  return {
    schemas,
    catalog,
    controllerContext,
    gates,
    stores,
    mechanisms,
    authorizer,
    services,
    serviceAccountTokens,
  };
}

function runtimeConfigOf(options: Options, definitions: ReturnType<typeof builtinResources>): RuntimeConfig {
  const known = new Map<string, { group: string; version: string; resources: string[] }>();
  for (const { group, resource, versions } of definitions) {
    for (const { version } of versions) {
      const key = `${group}/${version}`;
      const entry = known.get(key) ?? { group, version, resources: [] };
      entry.resources.push(resource);
      known.set(key, entry);
    }
  }
  const result = createRuntimeConfig(options.runtimeConfig, [...known.values()]);
  if (result.kind === "error") throw new Error(result.message);
  return result.config;
}

/** Options may name any resource, as in the original; one that is misspelt has no effect. */
function warnOfUnknownResources(
  { storeServersOverrides, watchCacheSizes }: Options,
  definitions: ReturnType<typeof builtinResources>,
  log: ApiServerParts["log"],
): void {
  for (const [option, named] of [
    ["--store-servers-overrides", storeServersOverrides],
    ["--watch-cache-sizes", watchCacheSizes],
  ] as const) {
    for (const { group, resource } of named) {
      if (definitions.some((known) => known.group === group && known.resource === resource)) continue;
      log.warn("an option names no resource of this server", { option, group, resource });
    }
  }
}

function createAdmission(context: ControllerContext, naming: Naming): AdmissionChain {
  type State = { readonly terminating: boolean; readonly deletionTimestamp: string | undefined };
  // Each write asks for its namespace, which hardly ever changes.
  const known = new WeakMap<object, State>();
  const namespaces = {
    async find(name: string, version: "cached" | "newest"): Promise<State | undefined> {
      try {
        const kind = version === "cached" ? "any" : "mostRecent";
        const stored = await context.registry("", "namespaces").get("", name, { kind });
        let state = known.get(stored);
        if (state === undefined) {
          const { metadata, status } = stored.decode() as Namespace; // the registry of namespaces holds nothing else
          state = {
            terminating: status?.phase === "Terminating",
            deletionTimestamp: metadata.deletionTimestamp,
          };
          known.set(stored, state);
        }
        return state;
      } catch (error) {
        if (isStatus(error, "NotFound")) return undefined;
        throw error;
      }
    },
  };
  return createAdmissionChain([
    namespaceLifecycle({
      namespaces,
      immortal: ["default", naming.systemNamespace, naming.publicNamespace],
      exempt: [`${naming.group("authorization")}/localsubjectaccessreviews`],
      now: () => Date.now(),
    }),
  ]);
}

function endpointSettings(
  options: Options,
  naming: Naming,
  gates: FeatureGates,
  schemas: SchemaRegistry,
): EndpointSettings {
  const scaleCodec = schemas.codec<Scale>("autoscaling/v1.Scale");
  return {
    metaGroup: naming.group("meta"),
    minRequestTimeoutSeconds: options.minRequestTimeout,
    random: Math.random,
    allowBookmarks: true,
    deleteCollectionWorkers: options.deleteCollectionWorkers,
    listChunking: gates.enabled("APIListChunking"),
    remainingItemCount: gates.enabled("RemainingItemCount"),
    serverSideFieldValidation: gates.enabled("ServerSideFieldValidation"),
    watchList: gates.enabled("WatchList"),
    fieldTracking: new ManagedFieldsTracking(`kubectl.${naming.domain}/last-applied-configuration`),
    scaleCodec,
    scaleView: createScaleView(scaleCodec),
    deleteOptionsCodec: schemas.codec<DeleteOptions>("meta/v1.DeleteOptions"),
  };
}

/** The registry of services holds nothing else, so hooks for services fit it. */
function hooksOf(services: ServiceAllocation): RegistryHooks<ApiObject> {
  return services.hooks as RegistryHooks<ApiObject>;
}

function allocation(
  { options, log }: ApiServerParts,
  stores: Stores,
  schemas: SchemaRegistry,
  resources: () => ResourceSet,
): ServiceAllocation {
  const ranges =
    options.serviceClusterIpRange.length > 0 ? options.serviceClusterIpRange : [defaultServiceRange];
  return createServiceAllocation({
    kv: stores.kv,
    storePrefix: stores.path(""),
    codec: schemas.codec<RangeAllocation>("core/v1.RangeAllocation"),
    mediaType: options.storageMediaType,
    clusterIpRanges: ranges.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
    nodePortRange: options.serviceNodePortRange,
    random: (bound) => randomInt(bound),
    clock: systemClock,
    log,
    async listServices() {
      const { items } = await resources()
        .registry("", "services")
        .list({ prefix: "", at: { kind: "mostRecent" }, limit: 0 });
      return items.map((stored) => stored.decode() as Service); // the registry of services holds nothing else
    },
    async deleteEndpoints(namespace, name) {
      await resources()
        .registry("", "endpoints")
        .delete(systemWrite(namespace), name, {}, async () => {});
    },
  });
}

/** A write of the server itself, which nobody waits for. */
function systemWrite(namespace: string): RegistryContext {
  return {
    namespace,
    user: controllerUser("system:apiserver"),
    now: new Date(),
    dryRun: false,
    signal: new AbortController().signal,
    warn() {},
  };
}
