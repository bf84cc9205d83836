import { exponentialBuckets } from "../../telemetry/exponential-buckets.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { GraphObserver } from "../authorization/node-view.js";

/** Seconds: 0.1 ms to 205 ms, doubling. */
const bounds = exponentialBuckets(0.0001, 12);

/** Measures changes of the graph of what nodes may read. The name is that of Kubernetes 1.23. */
export function nodeGraphMetrics(metrics: Metrics): GraphObserver {
  const durations = metrics.histogram({
    name: "node_authorizer_graph_actions_duration_seconds",
    help: "Time in seconds that a change of the node authorizer's graph took.",
    labels: ["operation"],
    bounds,
  });
  return (action, milliseconds) => durations.with(action).observe(milliseconds / 1000);
}
