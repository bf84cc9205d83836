import type { WatchEvent } from "../object-store.js";
import type { CacheEvent } from "./cache-event.js";
import type { FanOut, FanOutTask } from "./fan-out.js";

/**
 * A place between two events in the order of delivery. A watcher's position is the one that it has reached; what lies behind all
 * watchers is garbage collected, so that a quiet group keeps no event.
 */
export interface LogPlace<T> {
  readonly sequence: number;
  /** Both undefined at the tail. */
  event: CacheEvent<T> | undefined;
  next: LogPlace<T> | undefined;
}

/** A watcher, as far as its group knows it. */
export interface GroupMember {
  /** Takes the events behind its position. */
  deliver(): void;
}

/** Watchers that are interested in the same keys. An event touches only the groups of its key. */
export class WatcherGroup<T> implements FanOutTask {
  readonly #fanOut: FanOut;
  readonly #watchers = new Set<GroupMember>();
  #tail: LogPlace<T> = { sequence: 0, event: undefined, next: undefined };
  #round: { readonly watchers: Iterator<GroupMember>; readonly tail: LogPlace<T> } | undefined;
  #shared:
    | { readonly from: LogPlace<T>; readonly to: LogPlace<T>; readonly batch: readonly WatchEvent<T>[] }
    | undefined;

  constructor(fanOut: FanOut) {
    this.#fanOut = fanOut;
  }

  get tail(): LogPlace<T> {
    return this.#tail;
  }

  get size(): number {
    return this.#watchers.size;
  }

  add(watcher: GroupMember): void {
    this.#watchers.add(watcher);
  }

  remove(watcher: GroupMember): void {
    this.#watchers.delete(watcher);
  }

  append(event: CacheEvent<T>): void {
    const place: LogPlace<T> = { sequence: this.#tail.sequence + 1, event: undefined, next: undefined };
    this.#tail.event = event;
    this.#tail.next = place;
    this.#tail = place;
    this.#fanOut.deliver(this);
  }

  run(expired: () => boolean): boolean {
    this.#round ??= { watchers: this.#watchers.values(), tail: this.#tail };
    const { watchers, tail } = this.#round;
    for (;;) {
      const next = watchers.next();
      if (next.done === true) break;
      next.value.deliver();
      if (expired()) return false;
    }
    this.#round = undefined;
    this.#shared = undefined;
    // Events that arrived during the round have not reached its first watchers.
    return tail === this.#tail;
  }

  /**
   * The events between `from` and the tail for a watcher without a filter; watchers at the same position share the array.
   */
  unfilteredSince(from: LogPlace<T>): readonly WatchEvent<T>[] {
    const shared = this.#shared;
    if (shared !== undefined && shared.from === from && shared.to === this.#tail) return shared.batch;
    const batch: WatchEvent<T>[] = [];
    for (let place: LogPlace<T> | undefined = from; place !== undefined; place = place.next) {
      const shown = place.event?.shownTo({});
      if (shown !== undefined) batch.push(shown);
    }
    this.#shared = { from, to: this.#tail, batch };
    return batch;
  }
}
