import type { Metrics } from "../../telemetry/metrics.js";
import type { EgressObserver } from "../connections/egress-selection.js";

/** The protocol of all proxies here; Kubernetes also has `grpc`. */
const protocol = "http_connect";

/** Seconds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

/** Counts connections through proxies. Source of the names: apiserver `pkg/server/egressselector/metrics`, version 1.23. */
export function egressMetrics(metrics: Metrics): EgressObserver {
  const durations = metrics.histogram({
    name: "apiserver_egress_dialer_dial_duration_seconds",
    help: "Time in seconds that it took to open a connection through a proxy.",
    labels: ["protocol", "transport"],
    bounds,
  });
  const failures = metrics.counter({
    name: "apiserver_egress_dialer_dial_failure_count",
    help: "Connections that could not be opened, by stage: to the proxy (connect), or from there on (proxy).",
    labels: ["protocol", "transport", "stage"],
  });
  return {
    dialed(transport, milliseconds) {
      durations.with(protocol, transport).observe(milliseconds / 1000);
    },
    failed(transport, stage) {
      failures.with(protocol, transport, stage).value++;
    },
  };
}
