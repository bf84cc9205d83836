import { qualifiedResource } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { ListObserver } from "../../storage/store/list-observer.js";
import type { StoreOperation } from "../../storage/store/observed-store.js";
import type { CacheObserver } from "../../storage/watchcache/cache-observer.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Distribution, Figure, MetricFamily, Metrics } from "../../telemetry/metrics.js";

/** Called with the duration of each store operation. */
export type OperationObserver = (operation: StoreOperation, milliseconds: number) => void;

/** Seconds. */
const durationBounds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Objects per lease. */
const leaseBounds = [10, 50, 100, 500, 1000, 2500, 5000];

type Labels = readonly [name: string, help: string, labels: readonly string[]];

/**
 * Metrics of stores and caches, one resource at a time. Names and labels are those of Kubernetes, whose `resource` is sometimes a type
 * (`*core.Pod`) and sometimes a name (`pods`). Source: apiserver `pkg/storage/cacher` and `etcd3/metrics`, version 1.23.
 */
export class StorageMetrics {
  readonly #durations: MetricFamily<Distribution>;
  readonly #leases: Distribution;
  readonly #storeLists: ListFamilies;
  readonly #cacheLists: ListFamilies;
  readonly #cache: Readonly<Record<CacheFigure, MetricFamily<Figure>>>;

  readonly #consistentReads: MetricFamily<Figure> | undefined;
  readonly #comparisons: MetricFamily<Figure> | undefined;
  readonly #reading: ReadingFamilies | undefined;

  /** `storeName` is what names of metrics of the backing store begin with. */
  constructor(metrics: Metrics, storeName: string, level: ApiLevel) {
    const counter = ([name, help, labels]: Labels) => metrics.counter({ name, help, labels });
    const gauge = ([name, help, labels]: Labels) => metrics.gauge({ name, help, labels });
    this.#durations = metrics.histogram({
      name: `${storeName}_request_duration_seconds`,
      help: "Time that the backing store took, in seconds, by operation and type.",
      labels: ["operation", "type"],
      bounds: durationBounds,
    });
    this.#leases = metrics
      .histogram({
        name: `${storeName}_lease_object_counts`,
        help: "Objects that share one lease of the backing store.",
        labels: [],
        bounds: leaseBounds,
      })
      .with();
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
    this.#reading = isAtLeast(level, "1.27")
      ? {
          undecodable: counter([
            "apiserver_storage_decode_errors_total",
            "Stored values that could not be decoded.",
            ofStore,
          ]),
          events: counter([
            "apiserver_storage_events_received_total",
            "Events that the store sent.",
            ofStore,
          ]),
        }
      : undefined;
    this.#consistentReads = isAtLeast(level, "1.31")
      ? counter([
          "apiserver_watch_cache_consistent_read_total",
          "Lists of the most recent state that the watch cache answered, or left to the store.",
          [...(isAtLeast(level, "1.34") ? ["group"] : []), "resource", "success", "fallback"],
        ])
      : undefined;
    this.#comparisons = isAtLeast(level, "1.34")
      ? counter([
          "apiserver_storage_consistency_checks_total",
          "Comparisons of the watch cache with the store, by outcome.",
          ["group", "resource", "status"],
        ])
      : undefined;
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

  /** Called with the objects of a lease when another one takes its place. */
  readonly leaseReplaced = (objects: number): void => this.#leases.observe(objects);

  /** Metrics of one resource from now on. */
  of(definition: ResourceDefinition): ResourceStorageMetrics {
    return new ResourceStorageMetrics(
      {
        durations: this.#durations,
        storeLists: this.#storeLists,
        cacheLists: this.#cacheLists,
        cache: this.#cache,
        consistentReads: this.#consistentReads,
        comparisons: this.#comparisons,
        reading: this.#reading,
      },
      definition,
    );
  }
}

/** Reads from the store, counted from API level 1.27 on. */
interface ReadingFamilies {
  readonly undecodable: MetricFamily<Figure>;
  readonly events: MetricFamily<Figure>;
}

interface Families {
  readonly reading: ReadingFamilies | undefined;
  readonly durations: MetricFamily<Distribution>;
  readonly storeLists: ListFamilies;
  readonly cacheLists: ListFamilies;
  readonly cache: Readonly<Record<CacheFigure, MetricFamily<Figure>>>;
  readonly consistentReads: MetricFamily<Figure> | undefined;
  readonly comparisons: MetricFamily<Figure> | undefined;
}

/** The children of one resource: created with the first count, removed by `drop`. */
export class ResourceStorageMetrics {
  readonly #families: Families;
  readonly #definition: ResourceDefinition;
  readonly #type: string;
  readonly #children = new MetricChildren();

  constructor(families: Families, definition: ResourceDefinition) {
    this.#families = families;
    this.#definition = definition;
    this.#type = typeOf(definition);
  }

  drop(): void {
    this.#children.drop();
  }

  operations(): OperationObserver {
    const known = new Map<StoreOperation, Distribution>();
    return (operation, milliseconds) => {
      let durations = known.get(operation);
      if (durations === undefined) {
        const type = operation.startsWith("list") ? `${this.#type}List` : this.#type;
        durations = this.#children.of(this.#families.durations, operation, type);
        known.set(operation, durations);
      }
      durations.observe(milliseconds / 1000);
    };
  }

  storeLists(): ListObserver {
    return this.#listObserver(this.#families.storeLists, [qualifiedResource(this.#definition)]);
  }

  cache(): CacheObserver {
    const figures = new Map<CacheFigure, Figure>();
    const fallbacks = new Map<string, Figure>();
    const figure = (name: CacheFigure): Figure => {
      let known = figures.get(name);
      if (known === undefined) {
        known = this.#children.of(this.#families.cache[name], this.#type);
        figures.set(name, known);
      }
      return known;
    };
    return {
      ...this.#listObserver(this.#families.cacheLists, [this.#definition.storage?.prefix ?? "", ""]),
      initialized: () => {
        figure("loads").value++;
        // Shown from the start, at zero.
        for (const name of ["initial", "dispatched", "watchers"] as const) figure(name);
      },
      initialEvents: (count) => {
        figure("initial").value += count;
      },
      eventsApplied: (count) => {
        figure("dispatched").value += count;
        const events = this.#ofReading("events");
        if (events !== undefined) events.value += count;
      },
      windowCapacity: (events) => {
        const room = figure("capacity");
        if (room.value > 0 && events > room.value) figure("increases").value++;
        if (events < room.value) figure("decreases").value++;
        room.value = events;
      },
      storeFallback: (verb) => {
        let fallback = fallbacks.get(verb);
        if (fallback === undefined) {
          fallback = this.#children.of(this.#families.cache.fallbacks, this.#type, verb);
          fallbacks.set(verb, fallback);
        }
        fallback.value++;
      },
      ...this.#consistencyObserver(),
      watchers: (count) => {
        figure("watchers").value = count;
      },
      slowWatcher: () => {
        figure("terminated").value++;
      },
    };
  }

  #consistencyObserver(): Pick<CacheObserver, "consistentRead" | "compared"> {
    const { consistentReads, comparisons } = this.#families;
    const { group, resource } = this.#definition;
    let common: Figure | undefined;
    return {
      ...(consistentReads !== undefined && {
        consistentRead: (isOk, fromStore) => {
          const names = consistentReads.labels.includes("group") ? [group, resource] : [resource];
          const of = () => this.#children.of(consistentReads, ...names, String(isOk), String(fromStore));
          if (isOk && !fromStore) common ??= of();
          const figure = isOk && !fromStore ? common : of();
          if (figure !== undefined) figure.value++;
        },
      }),
      ...(comparisons !== undefined && {
        compared: (outcome) => {
          this.#children.of(comparisons, group, resource, outcome).value++;
        },
      }),
    };
  }

  /** Resources that were never listed are not shown. */
  #ofReading(name: keyof ReadingFamilies): Figure | undefined {
    const family = this.#families.reading?.[name];
    return family && this.#children.of(family, qualifiedResource(this.#definition));
  }

  #listObserver(families: ListFamilies, values: readonly string[]): ListObserver {
    let figures: { readonly lists: Figure; readonly fetched: Figure; readonly returned: Figure } | undefined;
    let evaluations: Figure | undefined;
    return {
      undecodable: () => {
        const errors = this.#ofReading("undecodable");
        if (errors !== undefined) errors.value++;
      },
      listed: (fetched, returned) => {
        if (figures === undefined) {
          const { lists, fetched: ofFetched, returned: ofReturned, evaluated } = families;
          figures = {
            lists: this.#children.of(lists, ...values),
            fetched: this.#children.of(ofFetched, ...values),
            returned: this.#children.of(ofReturned, ...values.slice(0, ofReturned.labels.length)),
          };
          evaluations = evaluated && this.#children.of(evaluated, ...values);
        }
        figures.lists.value++;
        figures.fetched.value += fetched;
        figures.returned.value += returned;
        if (evaluations !== undefined) evaluations.value += fetched;
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

/** Names of types as in Kubernetes: `*core.Pod`, `*rbac.Role`. */
function typeOf({ group, kind }: ResourceDefinition): string {
  const [name = ""] = group.split(".", 1);
  return `*${name === "" ? "core" : name}.${kind}`;
}
