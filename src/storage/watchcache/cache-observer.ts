import type { ListObserver } from "../store/list-observer.js";

/** `failure`: the cache has other objects, or other versions of them, than the store. `error`: the comparison failed. */
export type CheckOutcome = "success" | "failure" | "error";

/** Receives what happens to a cache, for metrics and logs. Every call is optional and must not throw. */
export interface CacheObserver extends ListObserver {
  /** The collection was read into memory, at the start or after history was lost. */
  initialized?(objects: number, durationMs: number): void;
  /** The copy could not be made or kept up to date: reads go to the store until a retry succeeds. */
  failed?(error: unknown): void;
  eventsApplied?(count: number): void;
  /** A watch began with this many events from memory: the state, or recent history. */
  initialEvents?(count: number): void;
  windowCapacity?(events: number): void;
  /** A read or watch that the cache could not serve went to the store. */
  storeFallback?(verb: "get" | "list" | "watch"): void;
  /** A list of the most recent state was answered or failed; `fromStore`: the cache was not recent enough in time. */
  consistentRead?(isOk: boolean, fromStore: boolean): void;
  /** The cache was compared with the store. */
  compared?(outcome: CheckOutcome): void;
  watchers?(count: number): void;
  /** A watcher was ended because it fell behind. */
  slowWatcher?(): void;
}
