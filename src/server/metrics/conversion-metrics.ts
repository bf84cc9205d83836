import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { ConversionObserver } from "../connections/conversion-webhooks.js";
import { doublingBounds } from "./doubling-bounds.js";

/** Seconds: 1 ms to 16 s, doubling. */
const bounds = doublingBounds(0.001, 15);

/** Counts calls to conversion webhooks, by definition. Source of the name: apiextensions-apiserver 1.23. */
export function conversionMetrics(metrics: Metrics): (definition: string) => ConversionObserver {
  const durations = metrics.histogram({
    name: "apiserver_crd_webhook_conversion_duration_seconds",
    help: "Time in seconds that a webhook took to convert custom resources, by definition and versions.",
    labels: ["crd_name", "from_version", "to_version", "succeeded"],
    bounds,
  });
  return (definition) => {
    const children = new MetricChildren();
    return {
      converted(from, to, milliseconds, isOk) {
        children.of(durations, definition, from, to, String(isOk)).observe(milliseconds / 1000);
      },
      drop: () => children.drop(),
    };
  };
}
