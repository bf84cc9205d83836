import { noRevision, type Revision } from "../kv.js";
import type { StoredObject } from "../object-store.js";
import type { CacheEvent } from "./cache-event.js";
import { SortedIndex } from "./sorted-index.js";

/** The window grows while it would lose events younger than this, and shrinks when most are older. Source: KEP-365. */
const freshMs = 75_000;
const upperCapacity = 100 * 1024;
/** Total size of the objects that only the events of one collection still refer to. */
const defaultBytesMax = 64 * 1024 * 1024;
/** The same limit once the events are no longer fresh: a hundred events of 10 KB each. */
const oldBytesMax = 1024 * 1024;
/** Memory of an event besides its object's bytes. */
const eventBytes = 1024;
/** Each snapshot costs about a kilobyte; states in between are derived from the previous snapshot. */
const eventsPerSnapshot = 64;

interface Entry<T> {
  readonly event: CacheEvent<T>;
  /** For some events, the state after all changes of the event's revision. */
  readonly snapshot: SortedIndex<StoredObject<T>> | undefined;
}

/**
 * The recent events of a collection, and with them its state at every recent revision. Holds `capacity` events, which doubles and
 * halves with the rate of change between the configured number and 102,400, and fewer when objects are large. `expire` removes old
 * events even when no new ones come.
 */
export class EventWindow<T> {
  readonly #lowerCapacity: number;
  readonly #bytesMax: number;
  /** A ring: `#length` events from `#start` on. */
  #ring: (Entry<T> | undefined)[];
  #start = 0;
  #length = 0;
  #base: SortedIndex<StoredObject<T>> = SortedIndex.empty();
  #low = noRevision;
  #bytes = 0;
  #sinceSnapshot = 0;

  constructor(capacity: number, bytesMax: number = defaultBytesMax) {
    this.#lowerCapacity = Math.max(1, capacity);
    this.#bytesMax = bytesMax;
    this.#ring = new Array<Entry<T> | undefined>(this.#lowerCapacity);
  }

  get capacity(): number {
    return this.#ring.length;
  }

  get length(): number {
    return this.#length;
  }

  /** All events after this revision are held, and the state at each revision from this one on. */
  get low(): Revision {
    return this.#low;
  }

  reset(revision: Revision, snapshot: SortedIndex<StoredObject<T>>): void {
    this.#ring = new Array<Entry<T> | undefined>(this.#lowerCapacity);
    this.#start = 0;
    this.#length = 0;
    this.#bytes = 0;
    this.#sinceSnapshot = 0;
    this.#low = revision;
    this.#base = snapshot;
  }

  /** Whether `expire` could remove something once it is old. */
  get isGrown(): boolean {
    return (
      this.#length > this.#lowerCapacity || this.capacity > this.#lowerCapacity || this.#bytes > oldBytesMax
    );
  }

  /** Drops events that are no longer recent at `now`, down to the configured number of events; fewer when their objects are large. */
  expire(now: number): void {
    while (
      (this.#length > this.#lowerCapacity || this.#bytes > oldBytesMax) &&
      now - this.#at(0).event.recordedAt > freshMs
    ) {
      this.#dropOldest();
    }
    let capacity = this.capacity;
    while (capacity >> 1 >= this.#length && capacity > this.#lowerCapacity) capacity >>= 1;
    this.#resize(Math.max(capacity, this.#lowerCapacity));
  }

  /** `snapshot` is the state after all changes of the event's revision. */
  push(event: CacheEvent<T>, snapshot: SortedIndex<StoredObject<T>>): void {
    if (this.#length === this.#ring.length) {
      this.#adapt(event.recordedAt);
      if (this.#length === this.#ring.length) this.#dropOldest();
    }
    const isKept = ++this.#sinceSnapshot >= eventsPerSnapshot;
    if (isKept) this.#sinceSnapshot = 0;
    const entry = { event, snapshot: isKept ? snapshot : undefined };
    this.#ring[(this.#start + this.#length) % this.#ring.length] = entry;
    this.#length++;
    this.#bytes += bytesOf(event);
    while (this.#bytes > this.#bytesMax && this.#length > 1) this.#dropOldest();
  }

  covers(revision: Revision): boolean {
    return revision >= this.#low;
  }

  /** The state at a revision that the window covers. */
  snapshotAt(revision: Revision): SortedIndex<StoredObject<T>> {
    const after = this.#firstAfter(revision);
    let from = after;
    let state: SortedIndex<StoredObject<T>> | undefined;
    while (state === undefined && from > 0) state = this.#at(--from).snapshot;
    if (state === undefined) state = this.#base;
    else from++;
    for (let index = from; index < after; index++) state = applied(state, this.#at(index).event);
    return state;
  }

  /** Events with revision > `revision`, which is covered, oldest first. */
  after(revision: Revision): CacheEvent<T>[] {
    const events: CacheEvent<T>[] = [];
    for (let index = this.#firstAfter(revision); index < this.#length; index++)
      events.push(this.#at(index).event);
    return events;
  }

  #adapt(now: number): void {
    const capacity = this.#ring.length;
    if (now - this.#at(0).event.recordedAt < freshMs) {
      this.#resize(Math.min(capacity * 2, Math.max(upperCapacity, this.#lowerCapacity)));
      return;
    }
    const quarter = this.#length - (capacity >> 2);
    if (now - this.#at(Math.min(quarter, this.#length - 1)).event.recordedAt > freshMs) {
      this.#resize(Math.max(capacity >> 1, this.#lowerCapacity));
    }
  }

  #resize(capacity: number): void {
    if (capacity === this.#ring.length) return;
    while (this.#length > capacity) this.#dropOldest();
    const ring = new Array<Entry<T> | undefined>(capacity);
    for (let index = 0; index < this.#length; index++) ring[index] = this.#at(index);
    this.#ring = ring;
    this.#start = 0;
  }

  #dropOldest(): void {
    const oldest = this.#at(0);
    this.#low = oldest.event.revision;
    this.#base = applied(this.#base, oldest.event);
    this.#bytes -= bytesOf(oldest.event);
    this.#ring[this.#start] = undefined;
    this.#start = (this.#start + 1) % this.#ring.length;
    this.#length--;
  }

  #firstAfter(revision: Revision): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(middle).event.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #at(index: number): Entry<T> {
    const entry = this.#ring[(this.#start + index) % this.#ring.length];
    if (entry === undefined) throw new Error(`the event window has no event ${index}`);
    return entry;
  }
}

function applied<T>(
  state: SortedIndex<StoredObject<T>>,
  { key, current }: CacheEvent<T>,
): SortedIndex<StoredObject<T>> {
  return current === undefined ? state.delete(key) : state.set(key, current);
}

/**
 * Memory that is freed with the event. Only the window keeps the state before it; the state after it is in the cache, or is the state
 * before a later event. Watchers of a deletion get the last state under another version, a second body.
 */
function bytesOf<T>({ current, previous }: CacheEvent<T>): number {
  const bodies = current === undefined ? 2 : 1;
  return eventBytes + bodies * (previous?.body.length ?? 0);
}
