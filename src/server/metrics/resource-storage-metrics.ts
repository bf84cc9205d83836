import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { ListObserver } from "../../storage/store/list-observer.js";
import type { StoreOperation } from "../../storage/store/observed-store.js";
import type { CacheObserver } from "../../storage/watchcache/cache-observer.js";
import type { Distribution } from "../../telemetry/distribution.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Figure } from "../../telemetry/metric-family.js";
import type { CacheFigure, ListFamilies, StorageFamilies } from "./storage-families.js";

/** Called with the duration of each store operation. */
export type OperationObserver = (operation: StoreOperation, milliseconds: number) => void;

/** The series of one resource: created when first counted, removed by `drop`. */
export class ResourceStorageMetrics {
  readonly #families: StorageFamilies;
  readonly #definition: ResourceDefinition;
  readonly #children = new MetricChildren();

  constructor(families: StorageFamilies, definition: ResourceDefinition) {
    this.#families = families;
    this.#definition = definition;
  }

  drop(): void {
    this.#children.drop();
  }

  operations(): OperationObserver {
    const known = new Map<StoreOperation, Distribution>();
    return (operation, milliseconds) => {
      let durations = known.get(operation);
      if (durations === undefined) {
        const { resources, durations: family } = this.#families;
        const names = resources.ofDurations.values(this.#definition, operation.startsWith("list"));
        durations = this.#children.of(family, operation, ...names);
        known.set(operation, durations);
      }
      durations.observe(milliseconds / 1000);
    };
  }

  storeLists(): ListObserver {
    const { storeLists, resources } = this.#families;
    return this.#listObserver(storeLists, resources.ofStore.values(this.#definition));
  }

  cache(): CacheObserver {
    const { cache, cacheLists, resources } = this.#families;
    const names = resources.ofCache.values(this.#definition);
    const figures = new Map<CacheFigure, Figure>();
    const fallbacks = new Map<string, Figure>();
    const figure = (name: CacheFigure): Figure => {
      let known = figures.get(name);
      if (known === undefined) {
        known = this.#children.of(cache[name], ...names);
        figures.set(name, known);
      }
      return known;
    };
    return {
      ...this.#listObserver(cacheLists, [...resources.ofCacheLists.values(this.#definition), ""]),
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
          fallback = this.#children.of(cache.fallbacks, ...names, verb);
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
    const { consistentReads, comparisons, resources } = this.#families;
    const { group, resource } = this.#definition;
    let common: Figure | undefined;
    return {
      ...(consistentReads !== undefined && {
        consistentRead: (isOk, fromStore) => {
          const names = resources.ofConsistentReads.values(this.#definition);
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
  #ofReading(name: "undecodable" | "events"): Figure | undefined {
    const family = this.#families.reading?.[name];
    return family && this.#children.of(family, ...this.#families.resources.ofStore.values(this.#definition));
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
