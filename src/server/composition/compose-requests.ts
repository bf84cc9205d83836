import type { AuditBackend } from "../../audit/audit-backend.js";
import type { Auditor } from "../../audit/auditor.js";
import type { Lab } from "../../lab/lab.js";
import type { ExchangeHandler } from "../../serving/http/exchange.js";
import type { Lanes } from "../../serving/lanes/lanes.js";
import { LargeRequests } from "../../serving/lanes/large-requests.js";
import { Connector } from "../../serving/proxy/connector.js";
import { AnswerBudget } from "../../serving/responses/answer-budget.js";
import { WatchOutbox } from "../../serving/responses/watch-outbox.js";
import { createRouter } from "../../serving/routing/router.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { dateOf } from "../../time/clock.js";
import { createAuditor } from "../audit/create-auditor.js";
import { type AnonymousAccess, anonymousAccess } from "../authentication/anonymous-access.js";
import { AuthenticationObserver } from "../authentication/authentication-observer.js";
import { identityHeaders } from "../authentication/front-proxy.js";
import type { EgressSelection } from "../connections/egress-selection.js";
import type { ComposedEndpoints } from "../endpoints/compose-endpoints.js";
import { createLanes, largeForms } from "../lanes/create-lanes.js";
import type { Closing } from "../lifecycle/closing.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { createResourceMetrics } from "../metrics/resource-metrics.js";
import { webSocketMetrics } from "../metrics/web-socket-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import type { ServerPki } from "../pki/server-pki.js";
import { serverRoutes } from "../routes/server-routes.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import type { Stores } from "../stores/open-store.js";
import { createTracing } from "../tracing/create-tracing.js";
import { corsOrigins } from "./cors-origins.js";
import { createConsole, type ServedConsole } from "./create-console.js";
import type { FlowControlSetup } from "./flow-control.js";
import { createRequestHandler, type PipelineParts } from "./request-pipeline.js";
import { createResponseWriters } from "./response-writers.js";
import type { ServerAccess } from "./server-access.js";
import type { StorageVersions } from "./storage-versions.js";

export interface RequestsComposition {
  readonly parts: ApiServerParts;
  /** Everything that is opened registers here. */
  readonly closing: Closing;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly stores: Stores;
  readonly pki: ServerPki;
  readonly egress: EgressSelection;
  readonly endpoints: ComposedEndpoints<ServerAccess>;
  /** Undefined when fixed limits apply. */
  readonly flowControl: FlowControlSetup | undefined;
  /** Undefined when storage versions are not registered. */
  readonly storageVersions: StorageVersions | undefined;
  readonly lab: Lab | undefined;
  /** See `PipelineParts`. */
  readonly passOn: PipelineParts["passOn"];
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

/** What a request passes: filters, then the router, which hands it to routes and endpoints, then writers. */
export async function composeRequests(composing: RequestsComposition): Promise<ComposedRequests> {
  const { parts, closing, gates, metrics, lifecycle, stores, pki, egress, endpoints } = composing;
  const { flowControl, storageVersions, lab } = composing;
  const { options, naming, log, clock } = parts;
  const { schemas, yaml, catalog, informers, serviceAccountTokens } = endpoints;
  const { authentication, authenticateToken: tokens, authorizer } = endpoints.access;

  const auditor = await closing.opened(
    createAuditor({
      options,
      naming,
      log,
      clock,
      metrics,
      dial: egress.controlplane,
      onStored: lab?.noteWriter,
      backend: composing.auditBackend,
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
  if (lanes !== undefined) closing.add(() => lanes.close());
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
      passOn: composing.passOn,
    },
    dateOf(clock),
  );
  const served = createConsole({ parts, authenticator, status, forward: handleRequest, auditor });

  return { handler: served?.handler ?? handleRequest, console: served, auditor, anonymous, lanes };
}
