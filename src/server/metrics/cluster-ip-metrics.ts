import type { Naming } from "../../naming/naming.js";
import type { ClusterIpObserver } from "../../registry/core/service/cluster-ip-allocator.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Counts the addresses of services, by range. Source of the names: Kubernetes' `pkg/registry/core/service/ipallocator`, version 1.23. */
export function clusterIpMetrics(metrics: Metrics, naming: Naming): (range: string) => ClusterIpObserver {
  const labels = ["cidr"];
  const allocations = metrics.counter({
    name: `${naming.prefix}_apiserver_clusterip_allocator_allocation_total`,
    help: "Cluster IPs that were allocated.",
    labels,
  });
  const failures = metrics.counter({
    name: `${naming.prefix}_apiserver_clusterip_allocator_allocation_errors_total`,
    help: "Cluster IPs that could not be allocated.",
    labels,
  });
  const taken = metrics.gauge({
    name: `${naming.prefix}_apiserver_clusterip_allocator_allocated_ips`,
    help: "Cluster IPs that are allocated.",
    labels,
  });
  const free = metrics.gauge({
    name: `${naming.prefix}_apiserver_clusterip_allocator_available_ips`,
    help: "Cluster IPs that are free.",
    labels,
  });
  return (range) => ({
    allocated() {
      allocations.with(range).value++;
    },
    failed() {
      failures.with(range).value++;
    },
    follow(usage) {
      metrics.onRead(() => {
        const now = usage();
        if (now === undefined) return;
        taken.with(range).value = now.taken;
        free.with(range).value = now.free;
      });
    },
  });
}
