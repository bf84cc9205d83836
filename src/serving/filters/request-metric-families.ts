import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Distribution } from "../../telemetry/distribution.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Seconds. */
const durationBounds = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const shortDurations = [0.005, 0.025];
/** Bytes. */
const sizeBounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
export const requestLabels = ["verb", "group", "version", "resource", "subresource", "scope", "component"];
/** Labels of aborted answers, which always come from this server itself. */
export const abortLabels = requestLabels.filter((label) => label !== "component");
const labelsWithDryRun = [...requestLabels.slice(0, 1), "dry_run", ...requestLabels.slice(1)];

/** Whether requests of servers to themselves are also counted by group. */
export function tellsOwnGroups(level: ApiLevel): boolean {
  return isAtLeast(level, "1.34");
}

/** Source of the names: apiserver `pkg/endpoints/metrics`. */
export interface RequestMetricFamilies {
  readonly requests: MetricFamily<Figure>;
  readonly durations: MetricFamily<Distribution>;
  /** Durations without the time of webhooks. */
  readonly ownDurations: MetricFamily<Distribution>;
  readonly sizes: MetricFamily<Distribution>;
  readonly longRunning: MetricFamily<Figure>;
  readonly deprecated: MetricFamily<Figure>;
  readonly terminations: MetricFamily<Figure>;
  readonly aborts: MetricFamily<Figure>;
  readonly dropped: MetricFamily<Figure>;
  /** Requests that API servers make to themselves. */
  readonly ofServer: MetricFamily<Figure>;
  /** Requests that ended after they were answered as timed out. */
  readonly late: MetricFamily<Figure>;
}

export function requestMetricFamilies(metrics: Metrics, level: ApiLevel): RequestMetricFamilies {
  const requests = metrics.counter({
    name: "apiserver_request_total",
    help: "Requests by verb, dry run, group, version, resource, subresource, scope, component and status code; 0 where no answer was sent.",
    labels: [...labelsWithDryRun, "code"],
  });
  const durations = metrics.histogram({
    name: "apiserver_request_duration_seconds",
    help: "Time from a request to the end of its answer, in seconds. Watches and other long-running requests last as long as they are open.",
    labels: labelsWithDryRun,
    bounds: isAtLeast(level, "1.25") ? [...shortDurations, ...durationBounds] : durationBounds,
  });
  const ownDurations = metrics.histogram({
    name: "apiserver_request_slo_duration_seconds",
    help: "The same without the time that webhooks took.",
    labels: requestLabels,
    bounds: durationBounds,
  });
  metrics.alias("apiserver_request_sli_duration_seconds", {
    type: "histogram",
    family: ownDurations,
  });
  const sizes = metrics.histogram({
    name: "apiserver_response_sizes",
    help: "Bytes of the answers to gets, lists and watches.",
    labels: requestLabels,
    bounds: sizeBounds,
  });
  const longRunning = metrics.gauge({
    name: "apiserver_longrunning_requests",
    help: "Watches and other long-running requests that are open.",
    labels: requestLabels,
  });
  metrics.alias("apiserver_longrunning_gauge", { type: "gauge", family: longRunning });
  const deprecated = metrics.gauge({
    name: "apiserver_requested_deprecated_apis",
    help: "Deprecated APIs that were requested, by group, version, resource, subresource and the release that removes them.",
    labels: ["group", "version", "resource", "subresource", "removed_release"],
  });
  const terminations = metrics.counter({
    name: "apiserver_request_terminations_total",
    help: "Requests that the server ended to protect itself: beyond its limits, or out of time.",
    labels: [...requestLabels, "code"],
  });
  const aborts = metrics.counter({
    name: "apiserver_request_aborts_total",
    help: "Answers that the server cut because of an error after they had begun.",
    labels: abortLabels,
  });
  const dropped = metrics.counter({
    name: "apiserver_dropped_requests_total",
    help: "Requests that were refused because too many were in flight.",
    labels: ["request_kind"],
  });
  const ofServer = metrics.counter({
    name: "apiserver_selfrequest_total",
    help: "Requests of API servers themselves, by verb, resource and subresource.",
    labels: ["verb", ...(tellsOwnGroups(level) ? ["group"] : []), "resource", "subresource"],
  });
  const late = metrics.counter({
    name: "apiserver_request_post_timeout_total",
    help: "What became of requests that were answered as out of time, by source and status.",
    labels: ["source", "status"],
  });
  return {
    requests,
    durations,
    ownDurations,
    sizes,
    longRunning,
    deprecated,
    terminations,
    aborts,
    dropped,
    ofServer,
    late,
  };
}
