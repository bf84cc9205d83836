import type { PodLogObserver } from "../../endpoints/connect/pod-log.js";
import type { Naming } from "../../naming/naming.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Counts requests for logs. Source of the names: Kubernetes' `pkg/registry/core/pod/rest`, version 1.23. */
export function podLogMetrics(metrics: Metrics, naming: Naming): PodLogObserver {
  const requests = metrics.counter({
    name: `${naming.prefix}_apiserver_pod_logs_pods_logs_insecure_backend_total`,
    help: "Requests for logs, by whether the certificate of the node's agent must be valid.",
    labels: ["usage"],
  });
  const failures = metrics.counter({
    name: `${naming.prefix}_apiserver_pod_logs_pods_logs_backend_tls_failure_total`,
    help: "Requests for logs that failed because the certificate of the node's agent is not valid.",
    labels: [],
  });
  return {
    requested(skipVerify) {
      requests.with(skipVerify ? "skip_tls_allowed" : "enforce_tls").value++;
    },
    distrusted() {
      failures.with().value++;
    },
  };
}
