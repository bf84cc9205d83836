import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { MetricChildren } from "../../telemetry/metric-children.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";
import { Peak } from "./peak.js";
import { RequestCounts, Target } from "./request-counts.js";
import {
  dryRunOf,
  hasConnectVerb,
  isRead,
  mutatingMethods,
  namedScope,
  pathScope,
  requestVerb,
  type Scope,
} from "./request-labels.js";
import {
  abortLabels,
  type RequestMetricFamilies,
  requestLabels,
  requestMetricFamilies,
  tellsOwnGroups,
} from "./request-metric-families.js";
import { entryOf, ResourceTable } from "./resource-table.js";

export interface RequestMetricsOptions {
  readonly metrics: Metrics;
  /** Paths that are not served are not counted, because clients must not be able to create labels. */
  readonly isServed: (info: RequestInfo) => boolean;
  /** Whether an extension server serves this resource. As in Kubernetes, such requests are counted only if they end early. */
  readonly isDelegated: (info: RequestInfo) => boolean;
  /** Undefined unless the API is deprecated; `removedRelease` is empty if it is not known. */
  readonly deprecation: (info: RequestInfo) => { readonly removedRelease: string } | undefined;
  /** Non-resource paths that are counted. */
  readonly paths: ReadonlySet<string>;
  readonly level: ApiLevel;
}

export type RequestKind = "readOnly" | "mutating";

/** Not counted, because the resource lacks the verb. */
const notAllowedCode = 405;
/** The user as which API servers make requests to themselves and each other. */
const serverUser = "system:apiserver";

/**
 * Counts and measures requests. Names and labels are those of Kubernetes, so that its dashboards fit: the verb is the method, except for
 * LIST, WATCH, APPLY and CONNECT. As there, gauges of open requests and counters of early ends take a field selector on the name into
 * account for the scope; everything else uses the path alone. Source: apiserver `pkg/endpoints/metrics`.
 */
export class RequestMetrics {
  readonly #options: RequestMetricsOptions;
  readonly #families: RequestMetricFamilies;
  readonly #hasConnect: boolean;
  readonly #tellsOwnGroups: boolean;
  readonly #targets = new ResourceTable<Target>();
  /** For requests without a resource. */
  readonly #paths = new Map<string, Target>();
  readonly #running = { readOnly: new Peak(), mutating: new Peak() };
  readonly #waiting = { readOnly: new Peak(), mutating: new Peak() };

  constructor(options: RequestMetricsOptions) {
    const { metrics, level } = options;
    this.#options = options;
    this.#families = requestMetricFamilies(metrics, level);
    this.#hasConnect = hasConnectVerb(level);
    this.#tellsOwnGroups = tellsOwnGroups(level);
    const inQueue = metrics.gauge({
      name: "apiserver_current_inqueue_requests",
      help: "The most requests that waited for a seat at once during the last second.",
      labels: ["request_kind"],
    });
    const inFlight = metrics.gauge({
      name: "apiserver_current_inflight_requests",
      help: "The most requests that were in flight at once during the last second.",
      labels: ["request_kind"],
    });
    metrics.onRead(() => {
      const now = performance.now();
      inFlight.with("readOnly").value = this.#running.readOnly.recent(now);
      inFlight.with("mutating").value = this.#running.mutating.recent(now);
      inQueue.with("readOnly").value = this.#waiting.readOnly.recent(now);
      inQueue.with("mutating").value = this.#waiting.mutating.recent(now);
    });
  }

  /** Put it after the filters that refuse requests. */
  readonly filter: Filter = (context, next) => {
    const target = this.#targetOf(context.info);
    const { exchange, longRunning } = context;
    const counts = target?.countsOf(context);
    if (context.user?.name === serverUser && target !== undefined) this.#countOfServer(context, target);
    const running = longRunning
      ? undefined
      : this.#running[mutatingMethods.has(exchange.method) ? "mutating" : "readOnly"];
    running?.begin(context.startedAtMs);
    const open = longRunning ? counts?.longRunning(namedScope(context.info)) : undefined;
    if (open !== undefined) open.value++;
    exchange.onFinished(() => {
      running?.end();
      if (open !== undefined) open.value--;
      if (counts === undefined) return;
      const { statusCode } = exchange;
      if (statusCode === notAllowedCode && !longRunning) return;
      counts.withCode(statusCode).value++;
      const measures = counts.measures(!isRefusal(statusCode));
      if (measures === undefined) return;
      const seconds = (performance.now() - context.startedAtMs) / 1000;
      measures.duration.observe(seconds);
      measures.ownDuration?.observe(seconds - context.webhooksMs / 1000);
      measures.size?.observe(exchange.bytesSent);
    });
    return next(context);
  };

  #countOfServer(context: RequestContext, { children }: Target): void {
    const { apiGroup, resource, subresource } = context.info;
    const verb = requestVerb(context, pathScope(context.info), this.#hasConnect);
    const groups = this.#tellsOwnGroups ? [apiGroup] : [];
    children.of(this.#families.ofServer, verb, ...groups, resource, subresource).value++;
  }

  /** Counts a request that waits for a seat. Call the returned function once, when it stops waiting. */
  queued(kind: RequestKind): () => void {
    const waiting = this.#waiting[kind];
    waiting.begin(performance.now());
    return () => waiting.end();
  }

  /** Counts a request that ended after it was answered as timed out. */
  endedLate(status: "ok" | "error" | "pending"): void {
    this.#families.late.with("timeout-handler", status).value++;
  }

  /** Counts a request that was refused because there were too many. */
  refused(context: RequestContext, kind: RequestKind): void {
    this.#families.dropped.with(kind).value++;
    this.terminated(context, 429);
  }

  /** Counts a request that was terminated early, by `component` where that is not this server itself. */
  terminated(context: RequestContext, code: number, component?: string): void {
    const { info } = context;
    const target = this.#targetOf(info);
    const own = this.#labelsOf(context, namedScope(info));
    const values = [...own.slice(0, -1), component ?? own.at(-1) ?? "", String(code)];
    if (target !== undefined) target.children.of(this.#families.terminations, ...values).value++;
    else if (this.#options.isDelegated(info)) this.#families.terminations.with(...values).value++;
  }

  /** Counts an answer that was aborted after it had begun. */
  aborted(context: RequestContext): void {
    const target = this.#targetOf(context.info);
    if (target === undefined) return;
    const values = this.#labelsOf(context, namedScope(context.info)).slice(0, abortLabels.length);
    target.children.of(this.#families.aborts, values[0] ?? "", ...values.slice(1)).value++;
  }

  /** Removes the metrics of a resource that is no longer served. */
  drop(resource: { readonly group: string; readonly resource: string }): void {
    for (const target of this.#targets.remove(resource)) target.children.drop();
  }

  #targetOf(info: RequestInfo): Target | undefined {
    if (!info.isResourceRequest) {
      return this.#options.paths.has(info.path)
        ? entryOf(this.#paths, info.path, () => this.#target())
        : undefined;
    }
    const known = this.#targets.get(info);
    if (known !== undefined || !this.#options.isServed(info)) return known;
    const target = this.#resourceTarget(info);
    this.#targets.set(info, target);
    return target;
  }

  #resourceTarget(info: RequestInfo): Target {
    const target = this.#target();
    const deprecation = this.#options.deprecation(info);
    if (deprecation !== undefined) {
      const { apiGroup, apiVersion, resource, subresource } = info;
      const values = [apiGroup, apiVersion, resource, subresource, deprecation.removedRelease];
      target.children.of(this.#families.deprecated, ...values).value = 1;
    }
    return target;
  }

  #target(): Target {
    const make = (context: RequestContext, scope: Scope, children: MetricChildren): RequestCounts => {
      const values = this.#labelsOf(context, scope);
      const [verb = "", ...others] = values;
      const dryRun = dryRunOf(context);
      const hasSize = isRead(context);
      const hasOwn = this.#measuresOwnTime(verb, dryRun);
      // The functions outlive the request, and must not hold it.
      return new RequestCounts({
        withCode: (code) => children.of(this.#families.requests, verb, dryRun, ...others, String(code)),
        measures: () => ({
          duration: children.of(this.#families.durations, verb, dryRun, ...others),
          ownDuration: hasOwn ? children.of(this.#families.ownDurations, ...values) : undefined,
          size: hasSize ? children.of(this.#families.sizes, ...values) : undefined,
        }),
        longRunning: (named) => {
          const open = values.map((value, index) => (requestLabels[index] === "scope" ? named : value));
          return children.of(this.#families.longRunning, ...open);
        },
      });
    };
    return new Target({ make, hasConnect: this.#hasConnect });
  }

  /** Whether the time without webhooks is measured: it means little for watches, and for dry runs, which store nothing. */
  #measuresOwnTime(verb: string, dryRun: string): boolean {
    const { level } = this.#options;
    if (verb === "WATCH" && isAtLeast(level, "1.25")) return false;
    return dryRun === "" || !isAtLeast(level, "1.35");
  }

  #labelsOf(context: RequestContext, scope: Scope): string[] {
    const { info } = context;
    const verb = requestVerb(context, scope, this.#hasConnect);
    return info.isResourceRequest
      ? [verb, info.apiGroup, info.apiVersion, info.resource, info.subresource, scope, "apiserver"]
      : [verb, "", "", "", info.path, scope, ""];
  }
}

/**
 * Refusals are counted by code, but their duration is measured only in existing series: otherwise made-up requests could create
 * distributions of two dozen lines each.
 */
function isRefusal(code: number): boolean {
  return code >= 400 && code < 500;
}
