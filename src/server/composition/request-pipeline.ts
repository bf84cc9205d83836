import { randomUUID } from "node:crypto";
import type { RequestAuthenticator } from "../../access/authentication/union.js";
import { tokenProtocolPrefix } from "../../access/authentication/web-socket-token.js";
import { openKindLoads } from "../../access/flowcontrol/load-samples.js";
import { PlainTextError, StatusError } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Auditor } from "../../audit/auditor.js";
import { answerErrors } from "../../serving/filters/answer-errors.js";
import { audit, auditEarlyRefusals } from "../../serving/filters/audit.js";
import { authenticate } from "../../serving/filters/authenticate.js";
import { type Authorize, authorize } from "../../serving/filters/authorize.js";
import { awaitStorageVersion } from "../../serving/filters/await-storage-version.js";
import { constrainedImpersonation } from "../../serving/filters/constrained-impersonation.js";
import { cors } from "../../serving/filters/cors.js";
import { deadline } from "../../serving/filters/deadline.js";
import { chain, type Filter, type Handler } from "../../serving/filters/filter.js";
import { flowControl } from "../../serving/filters/flow-control.js";
import { goaway } from "../../serving/filters/goaway.js";
import { impersonate } from "../../serving/filters/impersonate.js";
import { logRequests } from "../../serving/filters/log-requests.js";
import { logSlowRequests } from "../../serving/filters/log-slow-requests.js";
import { maxInFlight } from "../../serving/filters/max-in-flight.js";
import { refuseBadPath } from "../../serving/filters/refuse-bad-path.js";
import { refuseWhileDraining } from "../../serving/filters/refuse-while-draining.js";
import { RequestCredentials } from "../../serving/filters/request-credentials.js";
import type { RequestMetrics } from "../../serving/filters/request-metrics.js";
import { standardHeaders } from "../../serving/filters/standard-headers.js";
import { strictTransportSecurity } from "../../serving/filters/strict-transport-security.js";
import { afterFilters, type Tracer, traceRequests } from "../../serving/filters/trace-requests.js";
import type { ExchangeHandler } from "../../serving/http/exchange.js";
import { openContext } from "../../serving/request/open-context.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { StatusResponder } from "../../serving/responses/status-response.js";
import type { AnonymousAccess } from "../authentication/anonymous-access.js";
import type { AuthenticationObserver } from "../authentication/authentication-observer.js";
import { threadShare } from "../settings/thread-share.js";
import type { ComposedControllers } from "./compose-controllers.js";
import { latencyAnnotations } from "./latency-annotations.js";
import { measuringFilters, type NamedFilter, tracedFilters } from "./observed-filters.js";
import type { ServerCore } from "./server-core.js";

export interface PipelineParts extends ServerCore, ComposedControllers {
  readonly status: StatusResponder;
  readonly authenticator: RequestAuthenticator;
  readonly authenticationObserver: AuthenticationObserver;
  readonly anonymous: AnonymousAccess;
  readonly isOriginAllowed: (origin: string) => boolean;
  readonly router: Handler;
  readonly requestMetrics: RequestMetrics;
  /** Undefined when nothing is recorded. */
  readonly auditor: Auditor | undefined;
  /** Undefined when no request is traced. */
  readonly tracer: Tracer | undefined;
  /** Passes a request to another thread, which answers it unchanged. Returns false if this thread must answer it. */
  readonly forward: ((context: RequestContext) => boolean) | undefined;
}

/** The filters of every request, in order. */
function filtersOf(parts: PipelineParts): readonly NamedFilter[] {
  const { options, naming, lifecycle, log, requestMetrics, auditor, storageVersions, lab } = parts;
  const { shutdownSendRetryAfter, strictTransportSecurityDirectives } = options;
  const authorizer: Authorize = (question) => parts.access.authorizer.authorize(question);
  const isDraining = (): boolean => lifecycle.draining.aborted;
  const filters: readonly (NamedFilter | false | undefined)[] = [
    ["headers", standardHeaders(randomUUID)],
    ["log", logRequests(log, options.apiLevel)],
    ["slow requests", logSlowRequests(log)],
    ["errors", errorAnswers(parts)],
    shutdownSendRetryAfter && ["draining", refuseWhileDraining(isDraining)],
    shutdownSendRetryAfter && ["under way", lifecycle.requests.filter(isDraining)],
    options.goawayChance > 0 && ["goaway", goaway(options.goawayChance, Math.random)],
    auditor && ["audit of refusals", auditEarlyRefusals(auditor)],
    ["deadline", requestDeadline(parts)],
    strictTransportSecurityDirectives.length > 0 && [
      "strict transport security",
      strictTransportSecurity(strictTransportSecurityDirectives),
    ],
    options.corsAllowedOrigins.length > 0 && ["cors", cors(parts.isOriginAllowed)],
    ["authentication", authentication(parts)],
    auditor && ["audit", audit(auditor, latencyAnnotations(options.apiLevel, naming))],
    ["path", refuseBadPath],
    ["impersonation", impersonation(parts, authorizer)],
    lab && ["recording", lab.recorder.filter],
    loadLimit(parts),
    ["authorization", authorization(parts, authorizer)],
    ["metrics", requestMetrics.filter],
    lab && ["faults", lab.filter],
    storageVersions && ["storage version", awaitStorageVersion(storageVersions.wait)],
  ];
  return filters.filter((each) => each !== undefined && each !== false);
}

function errorAnswers({ status, log, requestMetrics }: PipelineParts): Filter {
  return answerErrors((context, error) => writeError(status, context, error), {
    unexpected: (error, context) => {
      log.error("request failed", error, { method: context.exchange.method, path: context.path });
      if (error instanceof Error && !(error instanceof StatusError)) context.auditRecord?.failed(error);
    },
    aborted: (context) => requestMetrics.aborted(context),
  });
}

async function writeError(
  status: StatusResponder,
  context: RequestContext,
  error: StatusError,
): Promise<void> {
  // Plain text has no object to record.
  if (!(error instanceof PlainTextError)) {
    context.audit?.recordStatus(error.status);
    context.audit?.recordResponse(() => status.encode(error.status, "json"));
  }
  await status.error(context.exchange, error);
}

function requestDeadline({ options, requestMetrics }: PipelineParts): Filter {
  return deadline(options.requestTimeoutMs, {
    expired: (context) => requestMetrics.terminated(context, 504),
    endedLate: (how) => requestMetrics.endedLate(how),
  });
}

function authentication(parts: PipelineParts): Filter {
  const { options, naming, gates, anonymous } = parts;
  const tokenProtocol = tokenProtocolPrefix(naming.groupDomain);
  return authenticate((context) => parts.authenticator(new RequestCredentials(context, tokenProtocol)), {
    realm: naming.vendor,
    anonymous: ({ path }) => anonymous.allows(path),
    closesHttp2: gates.isEnabled("UnauthenticatedHTTP2DOSMitigation"),
    warnsOfSpace: isAtLeast(options.apiLevel, "1.25"),
    observe: parts.authenticationObserver.observe,
  });
}

function impersonation({ naming, gates, options }: PipelineParts, authorizer: Authorize): Filter {
  const authenticationGroup = naming.group("authentication");
  const modes = gates.isEnabled("ConstrainedImpersonation")
    ? constrainedImpersonation(naming.domain, authenticationGroup)
    : undefined;
  const blamesServer = !isAtLeast(options.apiLevel, "1.35");
  return impersonate(authorizer, { authenticationGroup, modes, blamesServer });
}

/** Queues requests by flow schemas and priority levels, or refuses those above fixed limits. */
function loadLimit({ options, metrics, requestMetrics, flowControl: flow }: PipelineParts): NamedFilter {
  if (flow !== undefined) {
    return [
      "flow control",
      flowControl({
        ...flow.filter,
        queued: (kind) => requestMetrics.queued(kind),
        refused: (context, kind) => requestMetrics.refused(context, kind),
      }),
    ];
  }
  const limits = {
    readOnly: threadShare(options, options.maxRequestsInflight),
    mutating: threadShare(options, options.maxMutatingRequestsInflight),
  };
  return [
    "max in flight",
    maxInFlight(
      limits,
      (context, kind) => requestMetrics.refused(context, kind),
      openKindLoads(metrics, limits, () => performance.now(), options.apiLevel),
    ),
  ];
}

function authorization({ naming, gates }: PipelineParts, authorizer: Authorize): Filter {
  const prefix = `authorization.${naming.groupDomain}`;
  return authorize(authorizer, {
    annotations: { decision: `${prefix}/decision`, reason: `${prefix}/reason` },
    tellsSelectors: gates.isEnabled("AuthorizeWithSelectors"),
  });
}

export function createRequestHandler(parts: PipelineParts, now: () => Date): ExchangeHandler {
  const { tracer, router, options, metrics, forward } = parts;
  const filters = filtersOf(parts);
  const keepsTimes = parts.auditor !== undefined && isAtLeast(options.apiLevel, "1.31");
  const measured = measuringFilters(metrics, keepsTimes, parts.options.apiLevel);
  const untraced = chain(measured(filters), router);
  const handle =
    tracer === undefined
      ? untraced
      : traceRequests(tracer, {
          untraced,
          traced: chain(measured(tracedFilters(filters, options)), afterFilters(router)),
        });
  if (forward === undefined) return (exchange) => handle(openContext(exchange, now()));
  return (exchange) => {
    const context = openContext(exchange, now());
    return forward(context) ? undefined : handle(context);
  };
}
