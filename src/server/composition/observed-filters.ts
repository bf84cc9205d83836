import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Filter, ObservedFilter } from "../../serving/filters/filter.js";
import { tracedCaller, tracedWait } from "../../serving/filters/trace-requests.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { Options } from "../options/options.js";

/** The name appears in traces and metrics. */
export type NamedFilter = readonly [name: string, filter: Filter];

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

/** The filters with spans of those that take time. */
export function tracedFilters(filters: readonly NamedFilter[], options: Options): readonly NamedFilter[] {
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

/** A filter's time is measured from the previous measured filter, so that the clock is read once per filter. */
export function measuringFilters(
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
