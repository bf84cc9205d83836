import type { AuditBackend } from "../../audit/audit-backend.js";
import type { Auditor } from "../../audit/auditor.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { Informers } from "../../informers/informers.js";
import type { Lab } from "../../lab/lab.js";
import type { ServiceRepair } from "../../registry/core/service/service-repair.js";
import type { ExchangeHandler } from "../../serving/http/exchange.js";
import type { Simulation } from "../../simulation/simulation.js";
import { GrpcMetrics } from "../../storage/grpc/grpc-metrics.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { AnonymousAccess } from "../authentication/anonymous-access.js";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import { configuredModes } from "../authorization/structured-authorization.js";
import { loadEgressSelection } from "../connections/egress-selection.js";
import { composeEndpoints } from "../endpoints/compose-endpoints.js";
import type { Closing } from "../lifecycle/closing.js";
import { Lifecycle } from "../lifecycle/lifecycle.js";
import { logLevelsOf } from "../logging/server-log.js";
import { egressMetrics } from "../metrics/egress-metrics.js";
import { observeRemoteCalls } from "../metrics/remote-call-metrics.js";
import { createServerMetrics } from "../metrics/server-metrics.js";
import { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import { prepareServerPki, type ServerPki } from "../pki/server-pki.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { serverIdentity } from "../settings/server-identity.js";
import { encryptionReloads } from "../stores/encryption-reloads.js";
import type { Stores } from "../stores/open-store.js";
import { storeObservers } from "../stores/store-observers.js";
import { warnOfUnservedKinds } from "../stores/unserved-kinds.js";
import { composeControllers } from "./compose-controllers.js";
import { composeRequests } from "./compose-requests.js";
import type { ServedConsole } from "./create-console.js";
import type { Inheritance, Inherited } from "./inheritance.js";
import { PostStartHooks } from "./post-start-hooks.js";
import type { PipelineParts } from "./request-pipeline.js";
import { serverAccess } from "./server-access.js";

/** What `ApiServer` starts and stops, and what its users reach. */
export interface ComposedServer {
  readonly pki: ServerPki;
  readonly stores: Stores;
  /** Undefined when nothing is recorded. */
  readonly auditor: Auditor | undefined;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Its `source` offers resources other than the built-in kinds. */
  readonly catalog: LiveCatalog;
  readonly context: ControllerContext;
  readonly serviceRepair: ServiceRepair;
  /** `add` one for cluster data that must be at hand. */
  readonly informers: Informers;
  /** The controller of custom resource definitions, which is one of `controllers`. */
  readonly customResources: Controller;
  readonly controllers: readonly Controller[];
  readonly postStartHooks: PostStartHooks;
  readonly handler: ExchangeHandler;
  /** Undefined when the console is not served. */
  readonly console: ServedConsole | undefined;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly anonymous: AnonymousAccess;
  readonly lab: Lab | undefined;
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
  readonly passOn?: PipelineParts["passOn"];
  /** Receives audit events in place of the backends that the options name. */
  readonly auditBackend?: AuditBackend | undefined;
}

/**
 * Makes all parts of a server, from its stores up to its filters, and connects them. Starts nothing: `ApiServer` does. Rejects with an
 * `Error` that names the option that cannot be used; what is open by then is in `closing`.
 */
export async function composeServer(composition: Composition): Promise<ComposedServer> {
  const { closing, openStores, inherited } = composition;
  const parts = await withConfiguredModes(composition.parts);
  const { options, naming, log, clock, held } = parts;
  const gates = new FeatureGates(options.featureGates, options.apiLevel);
  const lifecycle = new Lifecycle(Date.now(), parts.port);
  const identity = serverIdentity(naming, options.apiLevel);

  // Telemetry.
  const metrics = await createServerMetrics(options, naming);
  closing.add(observeRemoteCalls(metrics, log, logLevelsOf(options)));

  // Stores, which open while keys and certificates are made.
  const egress = await forOption("egress-selector-config-file", naming, () =>
    loadEgressSelection(options.egressSelectorConfigFile, naming, egressMetrics(metrics)),
  );
  let encryptionTaken = (): void => undefined;
  const observers = {
    ...storeObservers({ options, naming, clock, log, metrics, identity: identity.name }),
    held,
    handedOver: inherited?.handedOver,
    calls: new GrpcMetrics(metrics),
    reloads: encryptionReloads(metrics, {
      level: options.apiLevel,
      identity: identity.name,
      taken: () => encryptionTaken(),
    }),
  };
  const opening = closing.opened(openStores(options, naming, observers, egress.store), (opened) =>
    opened.close(),
  );
  const pki = inherited?.pki ?? (await prepareServerPki(parts, Date.now()));
  closing.add(() => pki.finished);
  const stores = await opening;

  // Made below, of what it works with.
  let simulation: Simulation | undefined;

  // What requests finally reach. Access is decided by parts that the filters need too.
  const endpoints = await composeEndpoints({
    parts,
    closing,
    gates,
    metrics,
    stores,
    pki,
    egress,
    simulatedAgent: (node) => simulation?.agentOf(node),
    access: (inputs) => serverAccess({ parts, closing, gates, metrics, pki, egress, identity }, inputs),
  });
  const { catalog, context, informers, services, serviceAccountTokens, definitions } = endpoints;
  // Custom resources are not among them, because their forms change.
  const collections = stores.collections();

  // What runs beside requests.
  const running = await composeControllers({
    parts,
    closing,
    gates,
    metrics,
    lifecycle,
    stores,
    pki,
    egress,
    identity,
    endpoints,
  });
  const { controllers, flowControl, storageVersions, lab } = running;
  simulation = running.simulation;
  const postStartHooks = new PostStartHooks({
    naming,
    gates,
    lifecycle,
    context,
    controllers,
    flowControl,
    fillCaches: gates.isEnabled("WatchCacheInitializationPostStartHook")
      ? () => fillCaches(stores, parts)
      : undefined,
    reloadsEncryption: options.encryptionProviderConfigAutomaticReload,
    showsCertificate: endpoints.proxyClientCertificate !== undefined,
    inspectStore: () => warnOfUnservedKinds(stores, endpoints.unservedKinds, options.apiLevel, log),
  });

  // What requests pass on the way.
  const { auditor, handler, console, anonymous, lanes } = await composeRequests({
    parts,
    closing,
    gates,
    metrics,
    lifecycle,
    stores,
    pki,
    egress,
    endpoints,
    flowControl,
    storageVersions,
    lab,
    passOn: composition.passOn,
    auditBackend: composition.auditBackend,
  });
  if (lanes !== undefined) encryptionTaken = () => lanes.renew();

  return {
    pki,
    stores,
    auditor,
    serviceAccountTokens,
    catalog,
    context,
    serviceRepair: services.repair,
    informers,
    customResources: definitions,
    controllers,
    postStartHooks,
    handler,
    console,
    lifecycle,
    metrics,
    anonymous,
    lab,
    inheritance: { pki, collections },
  };
}

/** The modes in a file of authorizers become those of all parts, which depend on whether roles are consulted, for example. */
async function withConfiguredModes(parts: ApiServerParts): Promise<ApiServerParts> {
  const { options, naming } = parts;
  const authorizationMode = (await configuredModes(options, naming)) ?? options.authorizationMode;
  return { ...parts, options: { ...options, authorizationMode } };
}

async function fillCaches(stores: Stores, { options, log }: ApiServerParts): Promise<void> {
  const outcome = await stores.fillCaches(options.storageInitializationTimeoutMs);
  if (outcome === "late")
    log.warn("the watch caches were not filled in time; the store answers until they are");
}
