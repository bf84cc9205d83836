import { printJson } from "../apimachinery/json-print.js";
import type { JsonObject } from "../apimachinery/json-value.js";
import type { RequestInfo } from "../apimachinery/request-info.js";
import { qualifiedResource, type Status } from "../apimachinery/status.js";
import { subresourcesOf } from "../apis/definition/resource-definition.js";
import type { Auditor } from "../audit/auditor.js";
import type { ApiCatalog } from "../endpoints/api-catalog.js";
import { DiscoveryDocuments } from "../endpoints/discovery/discovery-documents.js";
import { OpenApiDocuments } from "../endpoints/openapi/openapi-documents.js";
import type { StorageVersionWait } from "../serving/filters/await-storage-version.js";
import { RequestMetrics } from "../serving/filters/request-metrics.js";
import type { Tracer } from "../serving/filters/trace-requests.js";
import { Connector } from "../serving/proxy/connector.js";
import type { RequestContext } from "../serving/request/request-context.js";
import { AnswerBudget } from "../serving/responses/answer-budget.js";
import { GroupBuffers } from "../serving/responses/group-buffers.js";
import { Negotiator } from "../serving/responses/negotiator.js";
import { ResultWriter } from "../serving/responses/result-writer.js";
import { StatusResponder } from "../serving/responses/status-response.js";
import { WatchMetrics } from "../serving/responses/watch-metrics.js";
import { WatchOutbox } from "../serving/responses/watch-outbox.js";
import { WatchResponder } from "../serving/responses/watch-responder.js";
import { WebSocketWatches } from "../serving/responses/web-socket-watch.js";
import { createRouter, type Route } from "../serving/routing/router.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { ApiServerParts } from "./api-server-parts.js";
import type { Assembly } from "./assembly.js";
import { anonymousAccess } from "./authentication/anonymous-access.js";
import { AuthenticationObserver } from "./authentication/authentication-observer.js";
import { identityHeaders } from "./authentication/front-proxy.js";
import { publishedAddress } from "./cluster-addresses.js";
import type { FlowControlSetup } from "./flow-control.js";
import { createServerChecks } from "./health/server-checks.js";
import type { Lifecycle } from "./lifecycle.js";
import { MetricsPage } from "./metrics/metrics-page.js";
import { StorePoll } from "./metrics/store-poll.js";
import { createRequestHandler } from "./request-pipeline.js";
import { debugRoutes } from "./routes/debug-routes.js";
import { discoveryRoutes } from "./routes/discovery-routes.js";
import { flowControlRoutes } from "./routes/flow-control-routes.js";
import { healthRoutes } from "./routes/health-routes.js";
import { issuerDiscoveryRoutes } from "./routes/issuer-discovery-routes.js";
import { metricsRoutes } from "./routes/metrics-routes.js";
import { openApiRoutes } from "./routes/openapi-routes.js";
import { rootRoutes } from "./routes/root-routes.js";
import { apiVersionName } from "./version.js";

/** Routes, filters and writers around the resource API. */
export async function createServerHandler({
  parts,
  assembly,
  lifecycle,
  metrics,
  auditor,
  flowControl,
  tracer,
  storageVersionWait,
  port,
}: {
  readonly parts: ApiServerParts;
  readonly assembly: Assembly;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly auditor: Auditor | undefined;
  /** Undefined when fixed limits apply. */
  readonly flowControl: FlowControlSetup | undefined;
  readonly tracer: Tracer | undefined;
  readonly storageVersionWait: StorageVersionWait | undefined;
  /** The port it listens on, once known. */
  readonly port: () => number;
}) {
  const { options, naming, log, build } = parts;
  const { schemas, yaml, catalog, gates, stores, authenticator, authorizer, serviceAccountTokens } = assembly;
  const negotiator = new Negotiator(naming);
  const status = new StatusResponder(negotiator, schemas.codec<Status>("meta/v1.Status"), yaml);
  const partialMetadata = schemas.codec("meta/v1.PartialObjectMetadata");
  const watchMetrics = new WatchMetrics(metrics);
  const watches = new WatchResponder({
    status,
    partialMetadata,
    outbox: new WatchOutbox(),
    metrics: watchMetrics,
    webSockets: new WebSocketWatches(),
    initialEventsEndAnnotation: `${naming.groupDomain}/initial-events-end`,
    now: () => new Date(),
    draining: lifecycle.draining,
  });
  const writer = new ResultWriter({
    negotiator,
    status,
    watches,
    partialMetadata,
    yaml,
    answers: new AnswerBudget(),
    groupBuffers: new GroupBuffers(),
    compress: gates.enabled("APIResponseCompression"),
    selfLinks: !gates.enabled("RemoveSelfLink"),
  });
  const checks = createServerChecks({
    naming,
    lifecycle,
    checkStore: () => stores.checkHealth(),
    keyServices: stores.keyServiceChecks,
    livezGracePeriodMs: options.livezGracePeriodMs,
    now: () => Date.now(),
  });
  const writeDocument = async (context: RequestContext, document: JsonObject): Promise<void> => {
    // As in Kubernetes, for everyone.
    const text = printJson(document, { indent: "  " });
    context.exchange.respond(200, { "Content-Type": "application/json" }, text);
  };
  const serverAddress = (): string => publishedAddress(options, port());
  const issuerDiscovery = issuerDiscoveryRoutes({
    issuer: serviceAccountTokens.issuers[0] ?? "",
    keys: serviceAccountTokens.keys,
    jwksUri: options.serviceAccountJwksUri,
    serverAddress,
  });
  const poll = new StorePoll({
    stores,
    countPeriodMs: options.storeCountMetricPollPeriodMs,
    sizePeriodMs: options.storeDbMetricPollIntervalMs,
    stopping: lifecycle.draining,
  });
  const routes: Route[] = [
    ...metricsRoutes(
      new MetricsPage({
        naming,
        build,
        poll,
        metrics,
        showsHidden: options.showHiddenMetricsForVersion !== undefined,
      }),
    ),
    ...healthRoutes(checks, log),
    ...(flowControl === undefined
      ? []
      : flowControlRoutes(flowControl.filter.control, () => ({
          monotonicMs: performance.now(),
          wallMs: Date.now(),
        }))),
    ...(options.profiling ? debugRoutes({ contention: options.contentionProfiling }) : []),
    ...issuerDiscovery,
    ...discoveryRoutes({
      documents: new DiscoveryDocuments({
        catalog,
        serverAddress,
        storageVersionHashes: gates.enabled("StorageVersionHash"),
      }),
      negotiator,
      yaml,
      compress: gates.enabled("APIResponseCompression"),
    }),
    ...openApiRoutes({
      documents: new OpenApiDocuments({
        catalog,
        naming,
        types: schemas,
        enums: gates.enabled("OpenAPIEnums"),
        version: apiVersionName,
        issuerDiscovery: issuerDiscovery.length > 0,
      }),
      v3: !gates.switchedOff("OpenAPIV3"),
      compress: gates.enabled("APIResponseCompression"),
      now: () => new Date(),
    }),
  ];
  routes.push(
    ...rootRoutes({
      catalog,
      build,
      otherPaths: () => routes.filter((r) => r.listed).map((r) => r.path),
      writeDocument,
    }),
  );
  const router = createRouter({
    catalog,
    routes,
    writer,
    connector: new Connector({
      draining: lifecycle.draining,
      bytesPerSecondMax: options.maxConnectionBytesPerSec,
      isIdentityHeader: identityHeaders(options),
      dial: assembly.egress.cluster,
    }),
  });
  const requestMetrics = new RequestMetrics({
    metrics,
    isServed: (info) => isServed(catalog, info),
    deprecation: ({ apiGroup, apiVersion, resource }) => {
      const served = catalog.find(apiGroup, apiVersion, resource);
      if (served?.deprecationWarning === undefined) return undefined;
      return { removedRelease: served.version.lifecycle?.removed ?? "" };
    },
    paths: new Set(["/healthz", "/livez", "/readyz"]),
  });
  catalog.subscribe(({ added, removed }) => {
    const still = new Set(added.map(({ definition }) => qualifiedResource(definition)));
    for (const { definition } of removed) {
      if (still.has(qualifiedResource(definition))) continue;
      requestMetrics.drop(definition);
      watchMetrics.drop(definition);
    }
  });
  return createRequestHandler(
    {
      options,
      naming,
      lifecycle,
      log,
      status,
      authenticator,
      authenticationObserver: new AuthenticationObserver(metrics, log),
      anonymous: anonymousAccess(options),
      authorizer: (question) => authorizer.authorize(question),
      isOriginAllowed: await originMatcher(options.corsAllowedOrigins),
      router,
      requestMetrics,
      auditor,
      flowControl: flowControl?.filter,
      tracer,
      storageVersionWait,
    },
    () => new Date(),
  );
}

function isServed(catalog: ApiCatalog, info: RequestInfo): boolean {
  const served = catalog.find(info.apiGroup, info.apiVersion, info.resource);
  if (served === undefined) return false;
  return info.subresource === "" || subresourcesOf(served).some(({ name }) => name === info.subresource);
}

/** Expressions come from the operator, origins from anyone: use a matcher without backtracking. */
async function originMatcher(patterns: readonly string[]): Promise<(origin: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { RE2JS } = await import("re2js");
  const compiled = patterns.map((pattern) => {
    try {
      return RE2JS.compile(pattern);
    } catch (error) {
      throw new Error(`--cors-allowed-origins: ${JSON.stringify(pattern)} is no regular expression`, {
        cause: error,
      });
    }
  });
  return (origin) => compiled.some((pattern) => pattern.matcher(origin).find());
}
