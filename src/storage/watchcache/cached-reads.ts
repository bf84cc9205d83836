import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { Clock } from "../../time/clock.js";
import type { KeyValueStore } from "../kv.js";
import type { ListRequest, ListResult, ReadVersion, StoredObject } from "../object-store.js";
import { keyNotFound } from "../storage-error.js";
import type { BaseObjectStore } from "../store/object-store.js";
import type { CacheObserver } from "./cache-observer.js";
import { keepComparing } from "./consistency-check.js";
import type { FreshViews } from "./fresh-views.js";
import { listView, type View } from "./list-view.js";
import type { Reflector } from "./reflector.js";

export interface CachedReadsParts<T> {
  readonly kv: KeyValueStore;
  /** Absolute. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly store: Pick<BaseObjectStore<T>, "get" | "list" | "holds">;
  readonly reflector: Pick<Reflector<T>, "isLive">;
  readonly views: FreshViews<T>;
  /** See `CacherOptions`. */
  readonly listsFromStore: boolean;
  readonly isCompared: boolean;
  readonly observer: CacheObserver | undefined;
}

/** Answers gets and lists from the cache where it shows what the store would, and from the store otherwise. */
export class CachedReads<T> {
  readonly #parts: CachedReadsParts<T>;
  #stopComparing: (() => void) | undefined;
  /** Whether the cache equalled the store when they were last compared. */
  #isConsistent = true;

  constructor(parts: CachedReadsParts<T>) {
    this.#parts = parts;
  }

  /** What the cache holds now; undefined while it has not read the collection. */
  collection(): View<T> | undefined {
    return this.#parts.reflector.isLive ? this.#parts.views.newest() : undefined;
  }

  get(key: string, at: ReadVersion): MaybePromise<StoredObject<T>> {
    const view = at.kind === "exact" ? undefined : this.#parts.views.at(at);
    return view instanceof Promise
      ? view.then((seen) => this.#find(key, at, seen))
      : this.#find(key, at, view);
  }

  #find(key: string, at: ReadVersion, view: View<T> | undefined): MaybePromise<StoredObject<T>> {
    if (view === undefined) {
      this.#parts.observer?.storeFallback?.("get");
      return this.#parts.store.get(key, at);
    }
    const object = view.index.get(key);
    return object ?? Promise.reject(keyNotFound(key, view.revision));
  }

  async list(request: ListRequest): Promise<ListResult<T>> {
    const { at } = request;
    // Compacted history that happens to be in the window must not be used: tokens expire alike with and without a cache.
    const seen = this.#viewOfList(at);
    const view = seen instanceof Promise ? await seen : seen;
    const { observer, listsFromStore, reflector, store } = this.#parts;
    const isConsistent = at.kind === "mostRecent" && reflector.isLive && !listsFromStore;
    if (view !== undefined && (at.kind !== "exact" || (await store.holds(at.revision)))) {
      if (isConsistent) observer?.consistentRead?.(true, false);
      // The limit applies at any version, although Kubernetes ignores it at version 0.
      return listView(view, request, observer);
    }
    observer?.storeFallback?.("list");
    const listed = store.list(request);
    if (isConsistent) {
      listed.then(
        () => observer?.consistentRead?.(true, true),
        () => observer?.consistentRead?.(false, true),
      );
    }
    return listed;
  }

  #viewOfList(at: ListRequest["at"]): MaybePromise<View<T> | undefined> {
    if (at.kind === "exact") return this.#isConsistent ? this.#parts.views.exactly(at.revision) : undefined;
    const isLeft = at.kind === "mostRecent" && this.#parts.listsFromStore;
    return isLeft ? undefined : this.#parts.views.at(at);
  }

  /** Called when the cache has read the collection: from then on it is compared with the store, if that is wanted. */
  keepComparing(): void {
    const { kv, prefix, clock, random, isCompared, observer } = this.#parts;
    if (!isCompared) return;
    this.#isConsistent = true;
    this.#stopComparing ??= keepComparing({
      kv,
      prefix,
      clock,
      random,
      view: () => this.collection(),
      checked: (outcome) => {
        if (outcome !== "error") this.#isConsistent = outcome === "success";
        observer?.compared?.(outcome);
      },
    });
  }

  /** Ends the comparisons. */
  stop(): void {
    this.#stopComparing?.();
  }
}
