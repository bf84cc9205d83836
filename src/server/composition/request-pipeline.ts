import { randomUUID } from "node:crypto";
import type { RequestAuthenticator } from "../../access/authentication/union.js";
import { tokenProtocolPrefix } from "../../access/authentication/web-socket-token.js";
import { openKindLoads } from "../../access/flowcontrol/load-samples.js";
import { PlainTextError, StatusError } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { Auditor } from "../../audit/auditor.js";
import type { Naming } from "../../naming/naming.js";
import { answerErrors } from "../../serving/filters/answer-errors.js";
import { audit, auditEarlyRefusals } from "../../serving/filters/audit.js";
import { authenticate } from "../../serving/filters/authenticate.js";
import { type Authorize, authorize } from "../../serving/filters/authorize.js";
import { awaitStorageVersion, type StorageVersionWait } from "../../serving/filters/await-storage-version.js";
import { constrainedImpersonation } from "../../serving/filters/constrained-impersonation.js";
import { cors } from "../../serving/filters/cors.js";
import { deadline } from "../../serving/filters/deadline.js";
import { chain, type Filter, type Handler, type ObservedFilter } from "../../serving/filters/filter.js";
import { type FlowControlParts, flowControl } from "../../serving/filters/flow-control.js";
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
import {
  afterFilters,
  type Tracer,
  tracedCaller,
  tracedWait,
  traceRequests,
} from "../../serving/filters/trace-requests.js";
import type { ExchangeHandler } from "../../serving/http/exchange.js";
import { openContext } from "../../serving/request/open-context.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { StatusResponder } from "../../serving/responses/status-response.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { AnonymousAccess } from "../authentication/anonymous-access.js";
import type { AuthenticationObserver } from "../authentication/authentication-observer.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { logLevelsOf } from "../logging/server-log.js";
import type { Options } from "../options/options.js";
import { threadShare } from "../settings/thread-share.js";
import { latencyAnnotations } from "./latency-annotations.js";

export interface PipelineParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly status: StatusResponder;
  readonly authenticator: RequestAuthenticator;
  readonly authenticationObserver: AuthenticationObserver;
  readonly anonymous: AnonymousAccess;
  readonly authorizer: Authorize;
  readonly isOriginAllowed: (origin: string) => boolean;
  readonly router: Handler;
  readonly metrics: Metrics;
  readonly requestMetrics: RequestMetrics;
  /** Undefined: requests above fixed limits are refused. */
  readonly flowControl: Omit<FlowControlParts, "refused" | "queued"> | undefined;
  /** Undefined when nothing is recorded. */
  readonly auditor: Auditor | undefined;
  /** Undefined when no request is traced. */
  readonly tracer: Tracer | undefined;
  readonly isEnabled: (gate: FeatureGateName) => boolean;
  /** Undefined unless a lab injects them. */
  readonly faults: Filter | undefined;
  /** Undefined unless a lab records them. */
  readonly recording: Filter | undefined;
  /** Undefined when storage versions are not registered. */
  readonly storageVersionWait: StorageVersionWait | undefined;
  /** Has another thread answer a request unchanged; false: it is answered here. */
  readonly passOn: ((context: RequestContext) => boolean) | undefined;
}

/** The filters of every request, in order. */
function filtersOf(parts: PipelineParts): readonly NamedFilter[] {
  const { options, naming, lifecycle, log, status, requestMetrics, auditor } = parts;
  const tokenProtocol = tokenProtocolPrefix(naming.groupDomain);
  const levels = logLevelsOf(options);
  const requestLog = logRequests(log, levels, isAtLeast(options.apiLevel, "1.27"));
  const isDraining = (): boolean => lifecycle.draining.aborted;
  const inFlightLimits = {
    readOnly: threadShare(options, options.maxRequestsInflight),
    mutating: threadShare(options, options.maxMutatingRequestsInflight),
  };
  return [
    ["headers", standardHeaders(randomUUID)],
    ...(requestLog === undefined ? [] : [["log", requestLog] as const]),
    ["slow requests", logSlowRequests(log, levels)],
    [
      "errors",
      answerErrors((context, error) => writeError(status, context, error), {
        unexpected: (error, context) => {
          log.error("request failed", error, { method: context.exchange.method, path: context.path });
          if (error instanceof Error && !(error instanceof StatusError)) context.auditRecord?.failed(error);
        },
        aborted: (context) => requestMetrics.aborted(context),
      }),
    ],
    ...when(options.shutdownSendRetryAfter, [
      ["draining", refuseWhileDraining(isDraining)],
      ["under way", lifecycle.requests.filter(isDraining)],
    ]),
    ...when(options.goawayChance > 0, [["goaway", goaway(options.goawayChance, Math.random)]]),
    ...(auditor === undefined ? [] : [["audit of refusals", auditEarlyRefusals(auditor)] as const]),
    [
      "deadline",
      deadline(options.requestTimeoutMs, {
        expired: (context) => requestMetrics.terminated(context, 504),
        endedLate: (how) => requestMetrics.endedLate(how),
      }),
    ],
    ...when(options.strictTransportSecurityDirectives.length > 0, [
      ["strict transport security", strictTransportSecurity(options.strictTransportSecurityDirectives)],
    ]),
    ...when(options.corsAllowedOrigins.length > 0, [["cors", cors(parts.isOriginAllowed)]]),
    [
      "authentication",
      authenticate((context) => parts.authenticator(new RequestCredentials(context, tokenProtocol)), {
        realm: naming.vendor,
        anonymous: ({ path }) => parts.anonymous.allows(path),
        closesHttp2: parts.isEnabled("UnauthenticatedHTTP2DOSMitigation"),
        warnsOfSpace: isAtLeast(options.apiLevel, "1.25"),
        observe: parts.authenticationObserver.observe,
      }),
    ],
    ...(auditor === undefined
      ? []
      : [["audit", audit(auditor, latencyAnnotations(options.apiLevel, naming))] as const]),
    ["path", refuseBadPath],
    [
      "impersonation",
      impersonate(parts.authorizer, {
        authenticationGroup: naming.group("authentication"),
        modes: parts.isEnabled("ConstrainedImpersonation")
          ? constrainedImpersonation(naming.domain, naming.group("authentication"))
          : undefined,
      }),
    ],
    ...(parts.recording === undefined ? [] : [["recording", parts.recording] as const]),
    parts.flowControl === undefined
      ? [
          "max in flight",
          maxInFlight(
            inFlightLimits,
            (context, kind) => requestMetrics.refused(context, kind),
            openKindLoads(parts.metrics, inFlightLimits, () => performance.now(), options.apiLevel),
          ),
        ]
      : [
          "flow control",
          flowControl({
            ...parts.flowControl,
            queued: (kind) => requestMetrics.queued(kind),
            refused: (context, kind) => requestMetrics.refused(context, kind),
          }),
        ],
    [
      "authorization",
      authorize(parts.authorizer, {
        annotations: authorizationAnnotations(naming),
        tellsSelectors: parts.isEnabled("AuthorizeWithSelectors"),
      }),
    ],
    ["metrics", requestMetrics.filter],
    ...(parts.faults === undefined ? [] : [["faults", parts.faults] as const]),
    ...(parts.storageVersionWait === undefined
      ? []
      : [["storage version", awaitStorageVersion(parts.storageVersionWait)] as const]),
  ];
}

type NamedFilter = readonly [name: string, filter: Filter];

function when(condition: boolean, filters: readonly NamedFilter[]): readonly NamedFilter[] {
  return condition ? filters : [];
}

async function writeError(
  status: StatusResponder,
  context: RequestContext,
  error: StatusError,
): Promise<void> {
  // What is answered as text has no object.
  if (!(error instanceof PlainTextError)) {
    context.audit?.recordStatus(error.status);
    context.audit?.recordResponse(() => status.encode(error.status, "json"));
  }
  await status.error(context.exchange, error);
}

function authorizationAnnotations(naming: Naming): { readonly decision: string; readonly reason: string } {
  const prefix = `authorization.${naming.groupDomain}`;
  return { decision: `${prefix}/decision`, reason: `${prefix}/reason` };
}

/** The filters that a request may wait in. */
const waiting: ReadonlySet<string> = new Set([
  "authentication",
  "audit",
  "flow control",
  "max in flight",
  "authorization",
]);

/** Filters that call another server. */
function callingOthers(options: Options): ReadonlySet<string> {
  const { authenticationTokenWebhookConfigFile, authorizationWebhookConfigFile } = options;
  const names: string[] = [];
  if (authenticationTokenWebhookConfigFile !== undefined) names.push("authentication");
  if (authorizationWebhookConfigFile !== undefined) names.push("impersonation", "authorization");
  return new Set(names);
}

export function createRequestHandler(parts: PipelineParts, now: () => Date): ExchangeHandler {
  const { tracer, router, options, metrics, passOn } = parts;
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
  if (passOn === undefined) return (exchange) => handle(openContext(exchange, now()));
  return (exchange) => {
    const context = openContext(exchange, now());
    return passOn(context) ? undefined : handle(context);
  };
}

function tracedFilters(filters: readonly NamedFilter[], options: Options): readonly NamedFilter[] {
  const callsOthers = callingOthers(options);
  return filters.map(([name, filter]) => {
    if (callsOthers.has(name)) return [name, tracedCaller(name, filter)];
    return [name, waiting.has(name) ? tracedWait(name, filter) : filter];
  });
}

/** Filters whose time is measured, by the names of kube-apiserver 1.23. */
const measuredNames: ReadonlyMap<string, string> = new Map([
  ["authentication", "authentication"],
  ["audit", "audit"],
  ["impersonation", "impersonation"],
  ["flow control", "priorityandfairness"],
  ["authorization", "authorization"],
]);
/** Seconds. */
const filterBounds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5];

/** A filter's time is counted from the measured one before it, so that the clock is read once for each. */
function measuringFilters(
  metrics: Metrics,
  keepsTimes: boolean,
  level: ApiLevel,
): (filters: readonly NamedFilter[]) => readonly (Filter | ObservedFilter)[] {
  const durations = metrics.histogram({
    name: "apiserver_request_filter_duration_seconds",
    help: "Time that requests spent in a filter, in seconds.",
    labels: ["filter"],
    bounds: isAtLeast(level, "1.28") ? [...filterBounds, 10, 15, 30] : filterBounds,
  });
  const measured = ([name, filter]: NamedFilter): Filter | ObservedFilter => {
    const shown = measuredNames.get(name);
    if (shown === undefined) return filter;
    const duration = durations.with(shown);
    const passed = (context: RequestContext): void => {
      const nowMs = performance.now();
      duration.observe((nowMs - context.passedAtMs) / 1000);
      if (keepsTimes) {
        context.filterTimes ??= new Map();
        context.filterTimes.set(shown, nowMs - context.passedAtMs);
      }
      context.passedAtMs = nowMs;
    };
    return { filter, passed };
  };
  return (filters) => filters.map(measured);
}
