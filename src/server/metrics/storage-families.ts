import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { storageLabels } from "./resource-labels.js";

/** Seconds. */
const durationBounds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

type Described = readonly [name: string, help: string, labels: readonly string[]];

/** The metrics of stores and caches. `storeName`: prefix of the metrics of the backing store. */
export function storageFamilies(metrics: Metrics, storeName: string, level: ApiLevel) {
  const counter = ([name, help, labels]: Described) => metrics.counter({ name, help, labels });
  const gauge = ([name, help, labels]: Described) => metrics.gauge({ name, help, labels });
  const resources = storageLabels(level);
  const durations = metrics.histogram({
    name: `${storeName}_request_duration_seconds`,
    help: "Time that the backing store took, in seconds, by operation and type.",
    labels: ["operation", ...resources.ofDurations.labels],
    bounds: durationBounds,
  });
  const ofStore = resources.ofStore.labels;
  const storeLists: ListFamilies = {
    lists: counter(["apiserver_storage_list_total", "Lists that the store answered.", ofStore]),
    fetched: counter([
      "apiserver_storage_list_fetched_objects_total",
      "Objects that lists read from the store.",
      ofStore,
    ]),
    evaluated: counter([
      "apiserver_storage_list_evaluated_objects_total",
      "Objects that lists from the store compared with their selectors.",
      ofStore,
    ]),
    returned: counter([
      "apiserver_storage_list_returned_objects_total",
      "Objects in lists that the store answered.",
      ofStore,
    ]),
  };
  const ofCache = [...resources.ofCacheLists.labels, "index"];
  const cacheLists: ListFamilies = {
    lists: counter(["apiserver_cache_list_total", "Lists that the watch cache answered.", ofCache]),
    fetched: counter([
      "apiserver_cache_list_fetched_objects_total",
      "Objects that lists looked at in the watch cache.",
      ofCache,
    ]),
    evaluated: undefined,
    returned: counter([
      "apiserver_cache_list_returned_objects_total",
      "Objects in lists that the watch cache answered.",
      resources.ofCacheLists.labels,
    ]),
  };
  const ofType = resources.ofCache.labels;
  const reading = isAtLeast(level, "1.27")
    ? {
        undecodable: counter([
          "apiserver_storage_decode_errors_total",
          "Stored values that could not be decoded.",
          ofStore,
        ]),
        events: counter(["apiserver_storage_events_received_total", "Events that the store sent.", ofStore]),
      }
    : undefined;
  const consistentReads = isAtLeast(level, "1.31")
    ? counter([
        "apiserver_watch_cache_consistent_read_total",
        "Lists of the most recent state that the watch cache answered, or left to the store.",
        [...resources.ofConsistentReads.labels, "success", "fallback"],
      ])
    : undefined;
  const comparisons = isAtLeast(level, "1.34")
    ? counter([
        "apiserver_storage_consistency_checks_total",
        "Comparisons of the watch cache with the store, by outcome.",
        ["group", "resource", "status"],
      ])
    : undefined;
  const cache = {
    initial: counter([
      "apiserver_init_events_total",
      "Events that watches began with instead of reading the store, by type.",
      ofType,
    ]),
    dispatched: counter([
      "apiserver_watch_cache_events_dispatched_total",
      "Events that the watch cache has taken in, by type.",
      ofType,
    ]),
    terminated: counter([
      "apiserver_terminated_watchers_total",
      "Watchers that were ended because they fell behind, by type.",
      ofType,
    ]),
    capacity: gauge([
      "watch_cache_capacity",
      "Recent events that the watch cache has room for, by type.",
      ofType,
    ]),
    increases: counter([
      "watch_cache_capacity_increase_total",
      "Times that the watch cache made more room, by type.",
      ofType,
    ]),
    decreases: counter([
      "watch_cache_capacity_decrease_total",
      "Times that the watch cache made less room, by type.",
      ofType,
    ]),
    watchers: gauge(["watch_cache_watchers", "Watchers that the watch cache serves, by type.", ofType]),
    loads: counter([
      "watch_cache_initializations_total",
      "Times that the watch cache read all objects of a type.",
      ofType,
    ]),
    fallbacks: counter([
      "watch_cache_store_reads_total",
      "Reads that the watch cache left to the store, by type and verb.",
      [...ofType, "verb"],
    ]),
  };
  return { resources, durations, storeLists, cacheLists, reading, consistentReads, comparisons, cache };
}

export type StorageFamilies = ReturnType<typeof storageFamilies>;

export type CacheFigure = keyof StorageFamilies["cache"];

export interface ListFamilies {
  readonly lists: MetricFamily<Figure>;
  readonly fetched: MetricFamily<Figure>;
  readonly evaluated: MetricFamily<Figure> | undefined;
  readonly returned: MetricFamily<Figure>;
}
