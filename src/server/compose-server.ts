import { randomUUID } from "node:crypto";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import { typePackages } from "../apis/type-packages.js";
import type { Controller, ControllerContext } from "../controllers/controller.js";
import { LiveCatalog } from "../endpoints/catalog/live-catalog.js";
import { Informers } from "../informers/informers.js";
import type { ServiceRepair } from "../registry/core/service/service-repair.js";
import { directDial } from "../remote/direct-dial.js";
import type { ExchangeHandler } from "../serving/http/exchange.js";
import { Connector } from "../serving/proxy/connector.js";
import { createRouter } from "../serving/routing/router.js";
import { GrpcMetrics } from "../storage/store3/grpc-metrics.js";
import type { Metrics } from "../telemetry/metrics.js";
import { createAdmission, loadAdmissionConfigurations } from "./admission.js";
import { admissionWebhookClients } from "./admission-webhooks.js";
import { createAggregation } from "./aggregation.js";
import type { ApiServerParts } from "./api-server-parts.js";
import { createAuditor } from "./audit/create-auditor.js";
import { anonymousAccess } from "./authentication/anonymous-access.js";
import { Authentication } from "./authentication/authentication.js";
import { AuthenticationMetrics } from "./authentication/authentication-metrics.js";
import { AuthenticationObserver } from "./authentication/authentication-observer.js";
import { identityHeaders } from "./authentication/front-proxy.js";
import { createAuthorization } from "./authorization/authorization.js";
import { loadAuthorizers } from "./authorization/load-authorizers.js";
import { builtinKinds } from "./builtin-kinds.js";
import { builtinOffers } from "./builtin-source.js";
import type { Closing } from "./closing.js";
import { controllerContext } from "./controller-context.js";
import { corsOrigins } from "./cors-origins.js";
import { createControllers } from "./create-controllers.js";
import { customResources } from "./custom-resources.js";
import { loadEgressSelection } from "./egress-selection.js";
import { endpointSettings } from "./endpoint-settings.js";
import { createFlowControl, usesFlowControl } from "./flow-control.js";
import { openImagePolicyWebhook } from "./image-policy-webhook.js";
import { kindParts } from "./kind-parts.js";
import { Lifecycle } from "./lifecycle.js";
import { AdmissionMetrics } from "./metrics/admission-metrics.js";
import { conversionMetrics } from "./metrics/conversion-metrics.js";
import { egressMetrics } from "./metrics/egress-metrics.js";
import { issuanceMetrics } from "./metrics/issuance-metrics.js";
import { nodeGraphMetrics } from "./metrics/node-graph-metrics.js";
import { podLogMetrics } from "./metrics/pod-log-metrics.js";
import { PodSecurityMetrics } from "./metrics/pod-security-metrics.js";
import { observeRemoteCalls } from "./metrics/remote-call-metrics.js";
import { createResourceMetrics } from "./metrics/resource-metrics.js";
import { createServerMetrics } from "./metrics/server-metrics.js";
import { StorageMetrics } from "./metrics/storage-metrics.js";
import { transformationMetrics } from "./metrics/transformation-metrics.js";
import { loadNodeAgentTls } from "./node-agents.js";
import type { Stores } from "./open-store.js";
import { FeatureGates } from "./options/feature-gates.js";
import { forOption, readFileOfOption } from "./options/option-failure.js";
import { prepareServerPki, type ServerPki } from "./pki/server-pki.js";
import { PostStartHooks } from "./post-start-hooks.js";
import { loadProxyClientCertificate } from "./proxy-client-certificate.js";
import { systemRandom } from "./random.js";
import { createRequestHandler } from "./request-pipeline.js";
import { createResponseWriters } from "./response-writers.js";
import { serverRoutes } from "./routes/server-routes.js";
import { logLevelsOf } from "./server-log.js";
import { loadServiceAccountTokens, type ServiceAccountTokens } from "./service-account-tokens.js";
import { serviceAllocation } from "./service-allocation.js";
import { ServiceDialer } from "./service-dialer.js";
import { createStorageVersions, usesStorageVersions } from "./storage-versions.js";
import { createTracing } from "./tracing/create-tracing.js";
import { createYamlConverter } from "./yaml.js";

/** What `ApiServer` starts and stops, and what its users reach. */
export interface ComposedServer {
  readonly pki: ServerPki;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Its `source` is where resources other than the built-in kinds come from. */
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
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
}

export interface Composition {
  readonly parts: ApiServerParts;
  /** Is told of everything that is opened. */
  readonly closing: Closing;
  readonly openStores: typeof Stores.open;
}

/**
 * Makes all parts of a server, from its stores up to its filters, and connects them. Starts nothing: `ApiServer` does. Rejects with an
 * `Error` that names the option that cannot be used; what is open by then is in `closing`.
 */
export async function composeServer({ parts, closing, openStores }: Composition): Promise<ComposedServer> {
  const { options, naming, log } = parts;
  const gates = new FeatureGates(options.featureGates);
  const lifecycle = new Lifecycle(Date.now(), parts.port);
  const identity = `${naming.commandName}-${randomUUID()}`;

  // Telemetry.
  const metrics = createServerMetrics(options);
  closing.add(observeRemoteCalls(metrics, log, logLevelsOf(options)));

  // Stores, which open while keys and certificates are made.
  const egress = await forOption("egress-selector-config-file", naming, () =>
    loadEgressSelection(options.egressSelectorConfigFile, naming, egressMetrics(metrics)),
  );
  const storeObservers = {
    metrics: new StorageMetrics(metrics, naming.storeName),
    calls: new GrpcMetrics(metrics),
    transformations: transformationMetrics(metrics, () => performance.now()),
    onFailure: (reason: unknown) => log.error("the store failed in the background", reason),
  };
  const opening = closing.opened(openStores(options, naming, storeObservers, egress.store), (opened) =>
    opened.close(),
  );
  const pki = await prepareServerPki(options, parts.given, naming, Date.now());
  closing.add(() => pki.finished);
  const stores = await opening;

  // The catalog, and what its resources share. Admission and settings are made below, before the first resource is published.
  const schemas = new SchemaRegistry(typePackages, { fieldName: (neutral) => naming.field(neutral) });
  const yaml = createYamlConverter();
  const catalog = new LiveCatalog({
    openStore: (definition, codec) => stores.openObjects(definition, codec),
    storageMediaType: options.storageMediaType,
    random: systemRandom,
    garbageCollection: options.enableGarbageCollector,
    endpoints: () => ({ admission, settings }),
  });
  const settings = endpointSettings({
    options,
    naming,
    gates,
    schemas,
    yaml,
    isKnownType: (type) => catalog.isKnownType(type),
  });
  const context = controllerContext({ catalog, naming, log, metrics });
  const { builtin } = context;
  const informers = new Informers();
  const services = serviceAllocation(parts, stores, schemas, builtin, metrics);

  // Access: who asks, and whether they may.
  const serviceAccountTokens = await loadServiceAccountTokens(options, naming, pki);
  const authentication = await closing.opened(
    Authentication.load({
      options,
      naming,
      log,
      pki,
      serviceAccountTokens,
      dial: egress.controlplane,
      metrics: new AuthenticationMetrics(metrics),
    }),
    (opened) => opened.close(),
  );
  const tokens = authentication.tokens(builtin);
  const authorizers = await closing.opened(
    loadAuthorizers({ options, naming, log, dial: egress.controlplane }),
    (opened) => opened.close(),
  );
  const { authorizer, escalation } = createAuthorization({
    modes: options.authorizationMode,
    loaded: authorizers,
    naming,
    informers,
    builtin,
    observeGraph: nodeGraphMetrics(metrics),
  });

  // Admission, and the webhooks that it and conversion call.
  const configurations = await loadAdmissionConfigurations(options, naming);
  const proxyClientCertificate = await loadProxyClientCertificate(pki, naming);
  const imagePolicyWebhook = await closing.opened(
    openImagePolicyWebhook(options, configurations, log),
    (opened) => opened?.close(),
  );
  const serviceDialer = new ServiceDialer({
    context,
    dial: egress.cluster ?? directDial,
    random: Math.random,
  });
  const webhookClients = admissionWebhookClients(
    { services: serviceDialer, dial: egress.controlplane, certificate: proxyClientCertificate },
    configurations,
  );
  for (const clients of Object.values(webhookClients)) closing.add(() => clients.close());
  const admission = createAdmission({
    options,
    naming,
    isEnabled: (gate) => gates.allows(gate),
    configurations,
    context,
    informers,
    authorizer,
    webhookClients,
    metrics: new AdmissionMetrics(metrics),
    podSecurityMetrics: new PodSecurityMetrics(metrics),
    imageReviewer: imagePolicyWebhook,
  });

  // The sources of the catalog: built-in kinds, custom resource definitions, API services.
  await readFileOfOption("cloud-config", options.cloudConfig, naming);
  catalog.source("the built-in kinds").publish({
    offered: builtinOffers({
      naming,
      ...builtinKinds(parts, gates, schemas, services.families),
      kindParts: kindParts({
        options,
        naming,
        schemas,
        settings,
        registry: (group, resource) => catalog.registry(group, resource),
        builtin,
        admission,
        authorizer,
        authenticateToken: tokens,
        services,
        podLogs: podLogMetrics(metrics, naming),
        certificateIssued: issuanceMetrics(metrics, naming),
        escalation,
        stores,
        serviceAccountTokens,
        nodeAgentTls: await loadNodeAgentTls(options, naming),
      }),
    }),
  });
  const definitions = customResources({
    webhookDials: { services: serviceDialer, url: egress.controlplane },
    observeConversions: conversionMetrics(metrics),
    naming,
    schemas,
    catalog,
    informers,
    context,
    isStoreShared: options.storeServers.length > 0,
    checksRules: gates.enabled("CustomResourceValidationExpressions"),
  });
  const aggregation = createAggregation({
    options,
    naming,
    catalog,
    context,
    dial: egress.cluster,
    certificate: proxyClientCertificate,
    metrics,
  });

  // Controllers.
  const flowControl = usesFlowControl(options, gates)
    ? createFlowControl({ options, naming, metrics, informers, catalog, context })
    : undefined;
  const storageVersions = usesStorageVersions(gates)
    ? createStorageVersions(context, naming, identity)
    : undefined;
  const controllers = [
    definitions,
    ...createControllers({
      options,
      naming,
      context,
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
  ];
  const postStartHooks = new PostStartHooks({ naming, gates, lifecycle, context, controllers });

  // Requests: filters, then the router, which hands them to routes and endpoints, then writers.
  const auditor = await closing.opened(
    createAuditor({ options, naming, log, metrics, dial: egress.controlplane }),
    (opened) => opened?.close(),
  );
  const tracer = await closing.opened(createTracing(parts, gates), (opened) => opened?.close());
  const { requestMetrics, watchMetrics } = createResourceMetrics(metrics, catalog);
  const { negotiator, status, writer } = createResponseWriters({
    naming,
    gates,
    schemas,
    yaml,
    watchMetrics,
    draining: lifecycle.draining,
  });
  const router = createRouter({
    catalog,
    routes: serverRoutes({
      parts,
      gates,
      lifecycle,
      metrics,
      stores,
      schemas,
      yaml,
      catalog,
      negotiator,
      serviceAccountTokens,
      flowControl: flowControl?.filter.control,
    }),
    writer,
    connector: new Connector({
      draining: lifecycle.draining,
      bytesPerSecondMax: options.maxConnectionBytesPerSec,
      isIdentityHeader: identityHeaders(pki.frontProxies),
      dial: egress.cluster,
      rejectRedirects: options.aggregatorRejectForwardingRedirect,
    }),
    refusedForExtension: (context, code) => requestMetrics.terminated(context, code, "aggregator"),
  });
  const handler = createRequestHandler(
    {
      options,
      naming,
      lifecycle,
      log,
      status,
      authenticator: authentication.requests(tokens),
      authenticationObserver: new AuthenticationObserver(metrics, log, naming),
      anonymous: anonymousAccess(options),
      authorizer: (question) => authorizer.authorize(question),
      isOriginAllowed: await corsOrigins(options.corsAllowedOrigins),
      router,
      metrics,
      requestMetrics,
      auditor,
      flowControl: flowControl?.filter,
      tracer,
      storageVersionWait: storageVersions?.wait,
    },
    () => new Date(),
  );

  return {
    pki,
    serviceAccountTokens,
    catalog,
    context,
    serviceRepair: services.repair,
    informers,
    customResources: definitions,
    controllers,
    postStartHooks,
    handler,
    lifecycle,
    metrics,
  };
}
