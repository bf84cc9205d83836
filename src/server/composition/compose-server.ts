import type { AuditBackend } from "../../audit/audit-backend.js";
import type { Lanes } from "../../serving/lanes/lanes.js";
import type { Simulation } from "../../simulation/simulation.js";
import { GrpcMetrics } from "../../storage/grpc/grpc-metrics.js";
import { configuredModes } from "../authorization/structured-authorization.js";
import { composeEndpoints } from "../endpoints/compose-endpoints.js";
import { createFoundation } from "../foundation/create-foundation.js";
import type { StoreGround } from "../foundation/foundation.js";
import type { Closing } from "../lifecycle/closing.js";
import { Lifecycle } from "../lifecycle/lifecycle.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { encryptionReloads } from "../stores/encryption-reloads.js";
import type { StoreObservers, Stores } from "../stores/open-store.js";
import { storeObservers } from "../stores/store-observers.js";
import { warnOfUnservedKinds } from "../stores/unserved-kinds.js";
import { type ComposedControllers, composeControllers } from "./compose-controllers.js";
import { type ComposedRequests, composeRequests } from "./compose-requests.js";
import type { Inheritance, Inherited } from "./inheritance.js";
import { PostStartHooks } from "./post-start-hooks.js";
import type { PipelineParts } from "./request-pipeline.js";
import { serverAccess } from "./server-access.js";
import type { ServerCore } from "./server-core.js";

/** What `ApiServer` starts and stops, and what its users reach. */
export interface ComposedServer extends ServerCore, ComposedControllers, ComposedRequests {
  readonly postStartHooks: PostStartHooks;
  /** For forks. */
  readonly inheritance: Inheritance;
}

export interface Composition {
  readonly parts: ApiServerParts;
  /** Everything that is opened registers here. */
  readonly closing: Closing;
  readonly openStores: typeof Stores.open;
  /** What a fork need not make again; undefined for other servers. */
  readonly inherited?: Inherited | undefined;
  /** See `PipelineParts`. */
  readonly forward?: PipelineParts["forward"];
  /** Receives audit events in place of the backends that the options name. */
  readonly auditBackend?: AuditBackend | undefined;
}

/** Parts that earlier stages use, but later stages make. */
interface DeferredParts {
  simulation?: Simulation | undefined;
  lanes?: Lanes | undefined;
}

/**
 * Makes all parts of a server, from its stores up to its filters, and connects them. Starts nothing: `ApiServer` does. Rejects with an
 * `Error` that names the option that cannot be used; what is open by then is in `closing`.
 */
export async function composeServer(composition: Composition): Promise<ComposedServer> {
  const { closing, openStores, inherited, forward, auditBackend } = composition;
  const parts = await withConfiguredModes(composition.parts);
  const { options, naming } = parts;
  const lifecycle = new Lifecycle(Date.now(), parts.port);
  const later: DeferredParts = {};

  const foundation = await createFoundation(parts, closing, {
    pki: inherited?.pki,
    openStores: (ground) =>
      openStores(options, naming, observersOf(ground, inherited, later), ground.egress.store),
  });
  const endpoints = await composeEndpoints(foundation, {
    access: (inputs) => serverAccess(foundation, inputs),
    simulatedAgent: (node) => later.simulation?.agentOf(node),
  });
  const core: ServerCore = { ...foundation, ...endpoints, lifecycle };
  // Custom resources are not inherited, because their schemas may change.
  const collections = core.stores.collections();
  const beside = await composeControllers(core);
  later.simulation = beside.simulation;
  // Created before the routes, which include the hooks' health checks.
  const postStartHooks = hooksOf(core, beside);
  const requests = await composeRequests({ ...core, ...beside, forward, auditBackend });
  later.lanes = requests.lanes;
  return { ...core, ...beside, ...requests, postStartHooks, inheritance: { pki: core.pki, collections } };
}

/** Sets the authorization modes to those in the file of `--authorization-config`, because several parts depend on them. */
async function withConfiguredModes(parts: ApiServerParts): Promise<ApiServerParts> {
  const { options, naming } = parts;
  const authorizationMode = (await configuredModes(options, naming)) ?? options.authorizationMode;
  return { ...parts, options: { ...options, authorizationMode } };
}

function observersOf(
  ground: StoreGround,
  inherited: Inherited | undefined,
  later: DeferredParts,
): StoreObservers {
  const { options, metrics, held, identity } = ground;
  return {
    ...storeObservers(ground),
    held,
    inheritedCollections: inherited?.inheritedCollections,
    calls: new GrpcMetrics(metrics),
    reloads: encryptionReloads(metrics, {
      level: options.apiLevel,
      identity: identity.name,
      taken: () => later.lanes?.renew(),
    }),
  };
}

function hooksOf(core: ServerCore, { controllers, flowControl }: ComposedControllers): PostStartHooks {
  const { options, log, gates, stores, unservedKinds, proxyClientCertificate } = core;
  return new PostStartHooks({
    ...core,
    controllers,
    flowControl,
    fillCaches: gates.isEnabled("WatchCacheInitializationPostStartHook") ? () => fillCaches(core) : undefined,
    reloadsEncryption: options.encryptionProviderConfigAutomaticReload,
    showsCertificate: proxyClientCertificate !== undefined,
    inspectStore: () => warnOfUnservedKinds(stores, unservedKinds, options.apiLevel, log),
  });
}

async function fillCaches({ stores, options, log }: ServerCore): Promise<void> {
  const outcome = await stores.fillCaches(options.storageInitializationTimeoutMs);
  if (outcome === "late")
    log.warn("the watch caches were not filled in time; the store answers until they are");
}
