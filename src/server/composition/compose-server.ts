import type { AuditBackend } from "../../audit/audit-backend.js";
import type { Auditor } from "../../audit/auditor.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { Informers } from "../../informers/informers.js";
import type { Lab } from "../../lab/lab.js";
import type { ServiceRepair } from "../../registry/core/service/service-repair.js";
import type { ExchangeHandler } from "../../serving/http/exchange.js";
import { LargeRequests } from "../../serving/lanes/large-requests.js";
import { Connector } from "../../serving/proxy/connector.js";
import { AnswerBudget } from "../../serving/responses/answer-budget.js";
import { WatchOutbox } from "../../serving/responses/watch-outbox.js";
import { createRouter } from "../../serving/routing/router.js";
import type { Simulation } from "../../simulation/simulation.js";
import { GrpcMetrics } from "../../storage/grpc/grpc-metrics.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { dateOf } from "../../time/clock.js";
import { createAuditor } from "../audit/create-auditor.js";
import { type AnonymousAccess, anonymousAccess } from "../authentication/anonymous-access.js";
import { AuthenticationObserver } from "../authentication/authentication-observer.js";
import { identityHeaders } from "../authentication/front-proxy.js";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import { configuredModes } from "../authorization/structured-authorization.js";
import { loadEgressSelection } from "../connections/egress-selection.js";
import { createLanes, largeForms } from "../lanes/create-lanes.js";
import type { Closing } from "../lifecycle/closing.js";
import { Lifecycle } from "../lifecycle/lifecycle.js";
import { logLevelsOf } from "../logging/server-log.js";
import { egressMetrics } from "../metrics/egress-metrics.js";
import { observeRemoteCalls } from "../metrics/remote-call-metrics.js";
import { createResourceMetrics } from "../metrics/resource-metrics.js";
import { createServerMetrics } from "../metrics/server-metrics.js";
import { StorageMetrics } from "../metrics/storage-metrics.js";
import { transformationMetrics } from "../metrics/transformation-metrics.js";
import { webSocketMetrics } from "../metrics/web-socket-metrics.js";
import { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import { prepareServerPki, type ServerPki } from "../pki/server-pki.js";
import { serverRoutes } from "../routes/server-routes.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { usesStorageVersions } from "../settings/uses-storage-versions.js";
import { encryptionReloads } from "../stores/encryption-reloads.js";
import type { Stores } from "../stores/open-store.js";
import { warnOfUnservedKinds } from "../stores/unserved-kinds.js";
import { createTracing } from "../tracing/create-tracing.js";
import { createAggregation } from "./aggregation.js";
import { composeEndpoints } from "./compose-endpoints.js";
import { corsOrigins } from "./cors-origins.js";
import { createConsole, type ServedConsole } from "./create-console.js";
import { createControllers } from "./create-controllers.js";
import { createFlowControl, usesFlowControl } from "./flow-control.js";
import type { Inheritance, Inherited } from "./inheritance.js";
import { createLab } from "./lab.js";
import { PostStartHooks } from "./post-start-hooks.js";
import { createRequestHandler, type PipelineParts } from "./request-pipeline.js";
import { createResponseWriters } from "./response-writers.js";
import { serverAccess } from "./server-access.js";
import { serverIdentity } from "./server-identity.js";
import { createSimulation } from "./simulation.js";
import { createStorageVersions } from "./storage-versions.js";

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
  /** Undefined where there is none. */
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
  const storageMetrics = new StorageMetrics(metrics, naming.storeName, options.apiLevel);
  let encryptionTaken = (): void => undefined;
  const storeObservers = {
    clock,
    held,
    handedOver: inherited?.handedOver,
    metrics: storageMetrics,
    leaseReplaced: storageMetrics.leaseReplaced,
    calls: new GrpcMetrics(metrics),
    transformations: transformationMetrics(metrics, {
      level: options.apiLevel,
      identity: identity.name,
    }),
    log,
    reloads: encryptionReloads(metrics, {
      level: options.apiLevel,
      identity: identity.name,
      taken: () => encryptionTaken(),
    }),
    onFailure: (reason: unknown) => log.error("the store failed in the background", reason),
  };
  const opening = closing.opened(openStores(options, naming, storeObservers, egress.store), (opened) =>
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
  const { schemas, yaml, catalog, context, informers, services, serviceAccountTokens, definitions } =
    endpoints;
  const { authentication, authenticateToken: tokens, authorizer } = endpoints.access;
  // Custom resources are not among them, because their forms change.
  const collections = stores.collections();
  const aggregation = createAggregation({
    options,
    naming,
    catalog,
    context,
    backends: endpoints.backends,
    dial: egress.cluster,
    certificate: endpoints.proxyClientCertificate,
    metrics,
    isEnabled: gates.isEnabled,
  });

  // Controllers.
  const flowControl = usesFlowControl(options, gates)
    ? createFlowControl({ options, naming, gates, metrics, informers, catalog, context })
    : undefined;
  const storageVersions = usesStorageVersions(gates)
    ? createStorageVersions(context, naming, identity)
    : undefined;
  simulation = await createSimulation({ parts, catalog, context, pki, gates });
  const labOf = await createLab(parts, {
    stores,
    identity,
    catalog,
    context,
    metrics,
    schemas,
    yaml,
    closing,
  });
  const lab = labOf?.lab;
  const controllers = [
    definitions,
    ...createControllers({
      options,
      naming,
      context,
      informers,
      caPem: pki.caPem,
      port: () => lifecycle.port,
      serviceAccountTokens,
      authentication,
      stores,
      gates,
      identity,
      storageVersions,
    }),
    ...(flowControl === undefined ? [] : [flowControl.objects]),
    aggregation.registration,
    aggregation.aggregator,
    ...(simulation === undefined ? [] : [simulation]),
    ...(labOf === undefined ? [] : [labOf.controller]),
  ];
  const postStartHooks = new PostStartHooks({
    naming,
    gates,
    lifecycle,
    context,
    controllers,
    flowControl,
    fillCaches: gates.isEnabled("WatchCacheInitializationPostStartHook")
      ? async () => {
          const outcome = await stores.fillCaches(options.storageInitializationTimeoutMs);
          if (outcome === "late")
            log.warn("the watch caches were not filled in time; the store answers until they are");
        }
      : undefined,
    reloadsEncryption: options.encryptionProviderConfigAutomaticReload,
    showsCertificate: endpoints.proxyClientCertificate !== undefined,
    inspectStore: () => warnOfUnservedKinds(stores, endpoints.unservedKinds, options.apiLevel, log),
  });

  // Requests: filters, then the router, which hands them to routes and endpoints, then writers.
  const auditor = await closing.opened(
    createAuditor({
      options,
      naming,
      log,
      clock,
      metrics,
      dial: egress.controlplane,
      onStored: lab?.noteWriter,
      backend: composition.auditBackend,
    }),
    (opened) => opened?.close(),
  );
  const tracer = await closing.opened(createTracing(parts, gates), (opened) => opened?.close());
  const { requestMetrics, watchMetrics } = createResourceMetrics(metrics, catalog, options.apiLevel);
  const outbox = new WatchOutbox();
  stores.sendEventsBy(() => outbox.flush());
  const answers = new AnswerBudget();
  const lanes = createLanes({
    parts,
    stores,
    catalog,
    authorizer,
    tokens,
    answers,
    gates,
    metrics,
    tracing: tracer,
  });
  if (lanes !== undefined) {
    closing.add(() => lanes.close());
    encryptionTaken = () => lanes.renew();
  }
  const { negotiator, status, writer } = createResponseWriters({
    naming,
    gates,
    schemas,
    yaml,
    watchMetrics,
    outbox,
    answers,
    clock,
    large: lanes && largeForms(lanes, options.laneRequestBytes),
    draining: lifecycle.draining,
    terminationGraceMs: options.shutdownWatchTerminationGracePeriodMs,
  });
  const router = createRouter({
    catalog,
    large:
      lanes === undefined
        ? undefined
        : new LargeRequests({ catalog, lanes, bytesMin: options.laneRequestBytes }),
    routes: serverRoutes({
      parts,
      gates,
      lifecycle,
      metrics,
      stores,
      schemas,
      yaml,
      catalog,
      informers,
      negotiator,
      serviceAccountTokens,
      flowControl: flowControl?.filter.control,
      labRoutes: lab?.routes ?? [],
    }),
    writer,
    connector: new Connector({
      draining: lifecycle.draining,
      bytesPerSecondMax: options.maxConnectionBytesPerSec,
      isIdentityHeader: identityHeaders(pki.frontProxies),
      dial: egress.cluster,
      rejectRedirects: options.aggregatorRejectForwardingRedirect,
      observer: webSocketMetrics(metrics, {
        containers: gates.isEnabled("TranslateStreamCloseWebsocketRequests"),
        ports: gates.isEnabled("PortForwardWebsockets"),
        kinds: gates.isEnabled("ExtendWebSocketsToNodeAgent"),
        agentName: naming.nodeAgentName,
      }),
    }),
    refusedForExtension: (context, code) => requestMetrics.terminated(context, code, "aggregator"),
    passesUid: gates.isEnabled("RemoteRequestHeaderUID"),
  });
  const anonymous = anonymousAccess(options, authentication.anonymous);
  const authenticator = authentication.requests(tokens);
  const handleRequest = createRequestHandler(
    {
      options,
      naming,
      lifecycle,
      log,
      status,
      authenticator,
      authenticationObserver: new AuthenticationObserver(metrics, log, naming),
      anonymous,
      authorizer: (question) => authorizer.authorize(question),
      isOriginAllowed: await forOption("cors-allowed-origins", naming, () =>
        corsOrigins(options.corsAllowedOrigins),
      ),
      router,
      metrics,
      requestMetrics,
      auditor,
      flowControl: flowControl?.filter,
      tracer,
      isEnabled: gates.isEnabled,
      storageVersionWait: storageVersions?.wait,
      faults: lab?.filter,
      recording: lab?.recorder.filter,
      passOn: composition.passOn,
    },
    dateOf(clock),
  );
  const served = createConsole({ parts, authenticator, status, forward: handleRequest, auditor });

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
    handler: served?.handler ?? handleRequest,
    console: served,
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
