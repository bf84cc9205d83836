import type { AuditBackend } from "../../audit/audit-backend.js";
import type { Auditor } from "../../audit/auditor.js";
import type { Handler } from "../../serving/filters/filter.js";
import type { RequestMetrics } from "../../serving/filters/request-metrics.js";
import type { ExchangeHandler } from "../../serving/http/exchange.js";
import type { Lanes } from "../../serving/lanes/lanes.js";
import { LargeRequests } from "../../serving/lanes/large-requests.js";
import { Connector } from "../../serving/proxy/connector.js";
import { AnswerBudget } from "../../serving/responses/answer-budget.js";
import type { WatchMetrics } from "../../serving/responses/watch-metrics.js";
import { WatchOutbox } from "../../serving/responses/watch-outbox.js";
import { createRouter } from "../../serving/routing/router.js";
import { dateOf } from "../../time/clock.js";
import { createAuditor } from "../audit/create-auditor.js";
import { type AnonymousAccess, anonymousAccess } from "../authentication/anonymous-access.js";
import { AuthenticationObserver } from "../authentication/authentication-observer.js";
import { identityHeaders } from "../authentication/front-proxy.js";
import { createLanes, largeForms } from "../lanes/create-lanes.js";
import { createResourceMetrics } from "../metrics/resource-metrics.js";
import { webSocketMetrics } from "../metrics/web-socket-metrics.js";
import { forOption } from "../options/option-failure.js";
import { serverRoutes } from "../routes/server-routes.js";
import { createTracing } from "../tracing/create-tracing.js";
import type { ServerTracing } from "../tracing/open-telemetry.js";
import type { ComposedControllers } from "./compose-controllers.js";
import { corsOrigins } from "./cors-origins.js";
import { createConsole, type ServedConsole } from "./create-console.js";
import { createRequestHandler, type PipelineParts } from "./request-pipeline.js";
import { createResponseWriters, type ResponseWriters } from "./response-writers.js";
import type { ServerCore } from "./server-core.js";

export interface RequestsComposition extends ServerCore, ComposedControllers {
  /** See `PipelineParts`. */
  readonly forward: PipelineParts["forward"];
  /** Receives audit events in place of the backends that the options name. */
  readonly auditBackend: AuditBackend | undefined;
}

export interface ComposedRequests {
  readonly handler: ExchangeHandler;
  /** Undefined when the console is not served. */
  readonly console: ServedConsole | undefined;
  /** Undefined when nothing is recorded. */
  readonly auditor: Auditor | undefined;
  readonly anonymous: AnonymousAccess;
  /** Undefined when there are none. */
  readonly lanes: Lanes | undefined;
}

/** The path of a request: filters, the router, routes and endpoints, response writers. */
export async function composeRequests(parts: RequestsComposition): Promise<ComposedRequests> {
  const { options, naming, log, clock, closing, metrics, egress, access, lab } = parts;
  const auditor = await closing.opened(
    createAuditor({
      ...parts,
      dial: egress.controlplane,
      onStored: lab?.noteWriter,
      backend: parts.auditBackend,
    }),
    (opened) => opened?.close(),
  );
  const tracer = await closing.opened(createTracing(parts), (opened) => opened?.close());
  const { requestMetrics, watchMetrics } = createResourceMetrics(metrics, parts.catalog, options.apiLevel);
  const { lanes, ...writers } = composeAnswers(parts, tracer, watchMetrics);
  const router = composeRouter(parts, writers, lanes, requestMetrics);
  const { status } = writers;
  const authenticator = access.authentication.requests(access.authenticateToken);
  const anonymous = anonymousAccess(options, access.authentication.anonymous);
  const handleRequest = createRequestHandler(
    {
      ...parts,
      status,
      authenticator,
      authenticationObserver: new AuthenticationObserver(metrics, log, naming),
      anonymous,
      isOriginAllowed: await forOption("cors-allowed-origins", naming, () =>
        corsOrigins(options.corsAllowedOrigins),
      ),
      router,
      requestMetrics,
      auditor,
      tracer,
    },
    dateOf(clock),
  );
  const served = createConsole({ ...parts, authenticator, status, forward: handleRequest, auditor });
  return { handler: served?.handler ?? handleRequest, console: served, auditor, anonymous, lanes };
}

/** Response writers, and the lanes that make large answers. */
function composeAnswers(
  parts: RequestsComposition,
  tracer: ServerTracing | undefined,
  watchMetrics: WatchMetrics,
): ResponseWriters & Pick<ComposedRequests, "lanes"> {
  const { options, closing, stores, lifecycle } = parts;
  const outbox = new WatchOutbox();
  stores.sendEventsBy(() => outbox.flush());
  const answers = new AnswerBudget();
  const lanes = createLanes({ ...parts, answers, tracer });
  if (lanes !== undefined) closing.add(() => lanes.close());
  const writers = createResponseWriters({
    ...parts,
    watchMetrics,
    outbox,
    answers,
    large: lanes && largeForms(lanes, options.laneRequestBytes),
    draining: lifecycle.draining,
    terminationGraceMs: options.shutdownWatchTerminationGracePeriodMs,
  });
  return { ...writers, lanes };
}

/** Routes requests to routes, endpoints and extension servers. */
function composeRouter(
  parts: RequestsComposition,
  { negotiator, writer }: ResponseWriters,
  lanes: Lanes | undefined,
  requestMetrics: RequestMetrics,
): Handler {
  const { options, gates, catalog, flowControl, lab } = parts;
  return createRouter({
    catalog,
    large: lanes && new LargeRequests({ catalog, lanes, bytesMin: options.laneRequestBytes }),
    routes: serverRoutes({
      ...parts,
      negotiator,
      flowControl: flowControl?.filter.control,
      labRoutes: lab?.routes ?? [],
    }),
    writer,
    connector: createConnector(parts),
    refusedForExtension: (context, code) => requestMetrics.terminated(context, code, "aggregator"),
    passesUid: gates.isEnabled("RemoteRequestHeaderUID"),
  });
}

function createConnector({
  options,
  naming,
  gates,
  metrics,
  lifecycle,
  pki,
  egress,
}: RequestsComposition): Connector {
  return new Connector({
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
  });
}
