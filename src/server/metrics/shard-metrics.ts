import type { ShardObserver } from "../../endpoints/resource/resource-endpoint.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Counts watches of shards. Source of the names: apiserver `pkg/storage/cacher/metrics`, version 1.36. */
export function shardMetrics(metrics: Metrics): ShardObserver {
  const labels = ["group", "resource"];
  const watches = metrics.gauge({
    name: "apiserver_watch_shards_total",
    help: "Watches that are of a part of the objects, by their hashes.",
    labels,
  });
  const filtered = metrics.counter({
    name: "apiserver_watch_filtered_events_total",
    help: "Comparisons with objects that belong to other parts than that of a watch.",
    labels,
  });
  return {
    watched({ group, resource }) {
      const figure = watches.with(group, resource);
      figure.value++;
      return () => {
        figure.value--;
      };
    },
    filtered: ({ group, resource }) => {
      filtered.with(group, resource).value++;
    },
  };
}
