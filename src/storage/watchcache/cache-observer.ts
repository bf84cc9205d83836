import type { ListObserver } from "../store/list-observer.js";

/** Where a cache tells what happens to it: metrics and logs. Every call is optional and must not throw. */
export interface CacheObserver extends ListObserver {
  /** The collection was read into memory, at start or after history was lost. */
  initialized?(objects: number, durationMs: number): void;
  /** It could not be, or not be kept up: reads go to the store until it is. Tried again. */
  failed?(error: unknown): void;
  eventsApplied?(count: number): void;
  /** A watch began with so many events from memory: the state, or recent history. */
  initialEvents?(count: number): void;
  windowCapacity?(events: number): void;
  /** A read or watch that the cache could not serve went to the store. */
  storeFallback?(verb: "get" | "list" | "watch"): void;
  watchers?(count: number): void;
  /** A watcher was ended because it fell behind. */
  slowWatcher?(): void;
}
