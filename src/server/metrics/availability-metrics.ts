import type { AvailabilityMetrics } from "../../aggregation/aggregator.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Shows which extension servers are available. Names and labels are those of kube-aggregator 1.23. */
export function availabilityMetrics(metrics: Metrics): AvailabilityMetrics {
  const gauge = metrics.gauge({
    name: "aggregator_unavailable_apiservice",
    help: "1 for each API service whose server is not available, 0 for the others.",
    labels: ["name"],
  });
  const counter = metrics.counter({
    name: "aggregator_unavailable_apiservice_total",
    help: "Times that an API service was found not to be available, by name and reason.",
    labels: ["name", "reason"],
  });
  const byName = new Map<string, MetricChildren>();
  const childrenOf = (name: string): MetricChildren => {
    const children = byName.get(name) ?? new MetricChildren();
    byName.set(name, children);
    return children;
  };
  return {
    available(name) {
      childrenOf(name).of(gauge, name).value = 0;
    },
    unavailable(name, reason) {
      childrenOf(name).of(gauge, name).value = 1;
      childrenOf(name).of(counter, name, reason).value++;
    },
    gone(name) {
      byName.get(name)?.drop();
      byName.delete(name);
    },
  };
}
