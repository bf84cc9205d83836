import type { WatchEvent } from "../object-store.js";
import { PortionSize } from "../store/portions.js";
import type { CacheEvent } from "./cache-event.js";
import type { FanOut, FanOutTask } from "./fan-out.js";

/**
 * A position between two events in delivery order, which watchers have reached. Events that all watchers have passed are garbage
 * collected, so a quiet group keeps no events.
 */
export interface LogPlace<T> {
  readonly sequence: number;
  /** Bytes of the objects of all events before. */
  readonly bytes: number;
  /** Both undefined at the tail. */
  event: CacheEvent<T> | undefined;
  next: LogPlace<T> | undefined;
}

/** Events after a position that are delivered together. */
export interface Portion<T> {
  readonly events: readonly WatchEvent<T>[];
  readonly end: LogPlace<T>;
}

/** The events after a position, mapped by `show`, that are delivered together. */
export function portionFrom<T>(
  from: LogPlace<T>,
  show: (event: CacheEvent<T>) => WatchEvent<T> | undefined,
): Portion<T> {
  const events: WatchEvent<T>[] = [];
  const size = new PortionSize();
  let end = from;
  while (end.event !== undefined && end.next !== undefined) {
    const { event } = end;
    end = end.next;
    const shown = show(event);
    if (shown === undefined) continue;
    events.push(shown);
    if (size.add(event.bytes)) break;
  }
  return { events, end };
}

/** A watcher, as its group sees it. */
export interface GroupMember {
  /** Takes the events after its position. */
  deliver(): void;
}

/** Watchers that are interested in the same keys. An event touches only the groups of its key. */
export class WatcherGroup<T> implements FanOutTask {
  readonly #fanOut: FanOut;
  readonly #watchers = new Set<GroupMember>();
  #tail: LogPlace<T> = { sequence: 0, bytes: 0, event: undefined, next: undefined };
  #round: { readonly watchers: Iterator<GroupMember>; readonly tail: LogPlace<T> } | undefined;
  #shared:
    | { readonly from: LogPlace<T>; readonly tail: LogPlace<T>; readonly portion: Portion<T> }
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
    const { sequence, bytes } = this.#tail;
    const place: LogPlace<T> = {
      sequence: sequence + 1,
      bytes: bytes + event.bytes,
      event: undefined,
      next: undefined,
    };
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

  /** The next events for a watcher without a filter; watchers at the same position share them. */
  unfilteredFrom(from: LogPlace<T>): Portion<T> {
    const shared = this.#shared;
    if (shared !== undefined && shared.from === from && shared.tail === this.#tail) return shared.portion;
    const portion = portionFrom(from, (event) => event.shownTo({}));
    this.#shared = { from, tail: this.#tail, portion };
    return portion;
  }
}
