import { qualifiedResource } from "../../apimachinery/status.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { ListObserver } from "../../storage/store/list-observer.js";
import type { StoreOperation } from "../../storage/store/observed-store.js";
import type { CacheObserver } from "../../storage/watchcache/cache-observer.js";
import type { Distribution, Figure, MetricFamily, Metrics } from "../../telemetry/metrics.js";

/** Told how long the store took for an operation. */
export type OperationObserver = (operation: StoreOperation, milliseconds: number) => void;

/** Seconds. */
const durationBounds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

type Labels = readonly [name: string, help: string, labels: readonly string[]];

/**
 * What is counted of stores and caches, a resource at a time. Names and labels are those of the original, whose `resource` is a
 * type here (`*core.Pod`), a name there (`pods`). Source: apiserver `pkg/storage/cacher` and `etcd3/metrics`, version 1.23.
 */
export class StorageMetrics {
  readonly #durations: MetricFamily<Distribution>;
  readonly #storeLists: ListFamilies;
  readonly #cacheLists: ListFamilies;
  readonly #cache: Readonly<Record<CacheFigure, MetricFamily<Figure>>>;

  /** `storeName` begins the names of metrics of the backing store. */
  constructor(metrics: Metrics, storeName: string) {
    const counter = ([name, help, labels]: Labels) => metrics.counter({ name, help, labels });
    const gauge = ([name, help, labels]: Labels) => metrics.gauge({ name, help, labels });
    this.#durations = metrics.histogram({
      name: `${storeName}_request_duration_seconds`,
      help: "Time that the backing store took, in seconds, by operation and type.",
      labels: ["operation", "type"],
      bounds: durationBounds,
    });
    const ofStore = ["resource"];
    this.#storeLists = {
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
    const ofCache = ["resource_prefix", "index"];
    this.#cacheLists = {
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
        ["resource_prefix"],
      ]),
    };
    const ofType = ["resource"];
    this.#cache = {
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
        ["resource", "verb"],
      ]),
    };
  }

  operations(of: ResourceDefinition): OperationObserver {
    const type = typeOf(of);
    const known = new Map<StoreOperation, Distribution>();
    return (operation, milliseconds) => {
      let durations = known.get(operation);
      if (durations === undefined) {
        durations = this.#durations.with(operation, operation.startsWith("list") ? `${type}List` : type);
        known.set(operation, durations);
      }
      durations.observe(milliseconds / 1000);
    };
  }

  storeLists(of: ResourceDefinition): ListObserver {
    return listObserver(this.#storeLists, [qualifiedResource(of)]);
  }

  cache(of: ResourceDefinition): CacheObserver {
    const type = typeOf(of);
    const { initial, dispatched, terminated, capacity, increases, decreases, watchers, loads, fallbacks } =
      this.#cache;
    const room = capacity.with(type);
    const taken = dispatched.with(type);
    const open = watchers.with(type);
    const begun = initial.with(type);
    return {
      ...listObserver(this.#cacheLists, [of.storage?.prefix ?? "", ""]),
      initialized: () => {
        loads.with(type).value++;
      },
      initialEvents: (count) => {
        begun.value += count;
      },
      eventsApplied: (count) => {
        taken.value += count;
      },
      windowCapacity: (events) => {
        if (room.value > 0 && events > room.value) increases.with(type).value++;
        if (events < room.value) decreases.with(type).value++;
        room.value = events;
      },
      storeFallback: (verb) => {
        fallbacks.with(type, verb).value++;
      },
      watchers: (count) => {
        open.value = count;
      },
      slowWatcher: () => {
        terminated.with(type).value++;
      },
    };
  }
}

type CacheFigure =
  | "initial"
  | "dispatched"
  | "terminated"
  | "capacity"
  | "increases"
  | "decreases"
  | "watchers"
  | "loads"
  | "fallbacks";

interface ListFamilies {
  readonly lists: MetricFamily<Figure>;
  readonly fetched: MetricFamily<Figure>;
  readonly evaluated: MetricFamily<Figure> | undefined;
  readonly returned: MetricFamily<Figure>;
}

/** Nothing is shown of what was never listed. */
function listObserver(families: ListFamilies, values: readonly string[]): ListObserver {
  let figures: { readonly lists: Figure; readonly fetched: Figure; readonly returned: Figure } | undefined;
  let evaluations: Figure | undefined;
  return {
    listed: (fetched, returned) => {
      if (figures === undefined) {
        figures = {
          lists: families.lists.with(...values),
          fetched: families.fetched.with(...values),
          returned: families.returned.with(...values.slice(0, families.returned.labels.length)),
        };
        evaluations = families.evaluated?.with(...values);
      }
      figures.lists.value++;
      figures.fetched.value += fetched;
      figures.returned.value += returned;
      if (evaluations !== undefined) evaluations.value += fetched;
    },
  };
}

/** As the original's own types are called: `*core.Pod`, `*rbac.Role`. */
function typeOf({ group, kind }: ResourceDefinition): string {
  const [name = ""] = group.split(".", 1);
  return `*${name === "" ? "core" : name}.${kind}`;
}
