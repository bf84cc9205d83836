import type { Listener } from "../../serving/http/listener.js";
import type { Metrics } from "../../telemetry/metrics.js";

export const connectionsGauge = "apiserver_serving_thread_connections";

/** Shows how many connections a thread serves. */
export function showConnections(metrics: Metrics, thread: string, listener: Listener): void {
  const connections = metrics
    .gauge({ name: connectionsGauge, help: "Connections that a thread serves.", labels: ["thread"] })
    .with(thread);
  metrics.onRead(() => {
    connections.value = listener.connections;
  });
}
