import type { Clock } from "../../time/clock.js";
import { type KvEvent, noRevision } from "../kv.js";
import type { ObjectCodec, StoredObject } from "../object-store.js";
import { CacheEvent } from "./cache-event.js";
import type { EventObjects } from "./event-batches.js";
import { EventWindow } from "./event-window.js";
import type { Collection } from "./inherited-collections.js";
import { SortedIndex } from "./sorted-index.js";

export interface WatchCacheOptions<T> {
  readonly codec: ObjectCodec<T>;
  /** Absolute, as the keys of events are. */
  readonly prefix: string;
  readonly clock: Clock;
  /** See `CacherOptions`. */
  readonly windowEvents: number;
  /** Called with the number of events that the window holds from now on. */
  readonly resized: (events: number) => void;
}

/** How often old events are removed. */
const expiryMs = 10_000;

/** The objects of a collection after the last event, and its recent events. Source: apiserver `cacher/watch_cache.go`. */
export class WatchCache<T> {
  readonly #codec: ObjectCodec<T>;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #window: EventWindow<T>;
  readonly #resized: (events: number) => void;
  #index: SortedIndex<StoredObject<T>> = SortedIndex.empty();
  #bytes = 0;
  /** Cancels the next removal of old events. */
  #expiry: (() => void) | undefined;

  constructor(options: WatchCacheOptions<T>) {
    this.#codec = options.codec;
    this.#prefix = options.prefix;
    this.#clock = options.clock;
    this.#window = new EventWindow(options.windowEvents);
    this.#resized = options.resized;
  }

  get index(): SortedIndex<StoredObject<T>> {
    return this.#index;
  }

  /** Bytes of the objects' bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  get recent(): Pick<EventWindow<T>, "covers" | "low" | "snapshotAt" | "after"> {
    return this.#window;
  }

  /** Replaces everything, and drops the events before `collection`. */
  replace({ index, revision }: Collection<T>): void {
    this.#index = index;
    this.#bytes = bytesIn(index);
    this.#window.reset(revision, index);
    this.#resized(this.#window.capacity);
  }

  /**
   * Applies events with the objects after them. Returns the changes; deleting a missing key is none. `receivedAt`: when the events
   * arrived.
   */
  apply(events: readonly KvEvent[], objects: EventObjects<T>, receivedAt: number): readonly CacheEvent<T>[] {
    const recordedAt = this.#clock.now();
    const { capacity } = this.#window;
    const applied: CacheEvent<T>[] = [];
    const snapshots: SortedIndex<StoredObject<T>>[] = [];
    for (const [position, { kv }] of events.entries()) {
      const key = kv.key.slice(this.#prefix.length);
      const current = objects[position];
      const previous = this.#index.get(key);
      if (current === undefined && previous === undefined) continue;
      this.#bytes += (current?.body.length ?? 0) - (previous?.body.length ?? 0);
      this.#index = current === undefined ? this.#index.delete(key) : this.#index.set(key, current);
      const change = { key, revision: kv.modRevision, current, previous, recordedAt, receivedAt };
      applied.push(new CacheEvent(this.#codec, change));
      snapshots.push(this.#index);
    }
    let last = 0;
    for (const [position, event] of applied.entries()) {
      // The state at a revision includes all of its changes.
      last = Math.max(last, position);
      while (applied[last + 1]?.revision === event.revision) last++;
      this.#window.push(event, snapshots[last] ?? this.#index);
    }
    if (this.#window.capacity !== capacity) this.#resized(this.#window.capacity);
    if (this.#expiry === undefined && this.#window.isGrown) this.#expireLater();
    return applied;
  }

  /** Holds nothing afterwards, not even a timer. */
  clear(): void {
    this.#expiry?.();
    this.#expiry = undefined;
    this.#index = SortedIndex.empty();
    this.#bytes = 0;
    this.#window.reset(noRevision, this.#index);
  }

  /** Repeats until the window is back at its minimum, so that a quiet server returns the memory of busy times. */
  #expireLater(): void {
    this.#expiry = this.#clock.schedule(expiryMs, () => {
      this.#expiry = undefined;
      const { capacity } = this.#window;
      this.#window.expire(this.#clock.now());
      if (this.#window.capacity !== capacity) this.#resized(this.#window.capacity);
      if (this.#window.isGrown) this.#expireLater();
    });
  }
}

function bytesIn<T>(index: SortedIndex<StoredObject<T>>): number {
  let bytes = 0;
  index.scan("", undefined, ({ body }) => {
    bytes += body.length;
    return true;
  });
  return bytes;
}
