import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { exponentialBuckets } from "../../telemetry/exponential-buckets.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { ConversionObserver } from "../connections/conversion-webhooks.js";

/** Seconds: 1 ms to 16 s, doubling. */
const bounds = exponentialBuckets(0.001, 15);
/** Seconds. */
const callBounds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];

/** Counts calls to conversion webhooks, by definition. Source of the names: apiextensions-apiserver. */
export function conversionMetrics(
  metrics: Metrics,
  level: ApiLevel,
): (definition: string) => ConversionObserver {
  const isRenamed = isAtLeast(level, "1.28");
  const durations = metrics.histogram({
    name: isRenamed
      ? "apiserver_crd_conversion_webhook_duration_seconds"
      : "apiserver_crd_webhook_conversion_duration_seconds",
    help: "Time in seconds that a webhook took to convert custom resources, by definition and versions.",
    labels: ["crd_name", "from_version", "to_version", "succeeded"],
    bounds,
  });
  const calls = isRenamed ? callFamilies(metrics) : undefined;
  return (definition) => {
    const children = new MetricChildren();
    return {
      converted(from, to, milliseconds, failure) {
        const isOk = failure === undefined;
        children.of(durations, definition, from, to, String(isOk)).observe(milliseconds / 1000);
        if (calls === undefined) return;
        const values = [isOk ? "success" : "failure", failure ?? ""];
        calls.total.with(...values).value++;
        calls.durations.with(...values).observe(milliseconds / 1000);
      },
      drop: () => children.drop(),
    };
  };
}

function callFamilies(metrics: Metrics) {
  const labels = ["result", "failure_type"];
  return {
    total: metrics.counter({
      name: "apiserver_conversion_webhook_request_total",
      help: "Calls to conversion webhooks, by result and kind of failure.",
      labels,
    }),
    durations: metrics.histogram({
      name: "apiserver_conversion_webhook_duration_seconds",
      help: "Time in seconds that calls to conversion webhooks took, by result and kind of failure.",
      labels,
      bounds: callBounds,
    }),
  };
}
