import { noRevision, type Revision } from "../kv.js";
import type { WatchEvent, WatchHandle, WatchRequest, WatchSink } from "../object-store.js";
import { StorageError } from "../storage-error.js";
import { covers } from "../store/selection.js";
import type { CacheEvent } from "./cache-event.js";
import type { FanOut, FanOutTask } from "./fan-out.js";
import { type LogPlace, portionFrom, type WatcherGroup } from "./watcher-group.js";

/** Limits of how far a watcher that is not ready may fall behind: events of its group, and bytes of their objects. */
export interface WatcherLag {
  readonly events: number;
  readonly bytes: number;
}

export interface CacheWatcherOptions<T> {
  readonly request: WatchRequest;
  readonly sink: WatchSink<T>;
  readonly group: WatcherGroup<T>;
  readonly fanOut: FanOut;
  /** Whether the selection contains all keys of the group. */
  readonly groupCovered: boolean;
  /** Only events after this revision. */
  readonly after: Revision;
  /** `after` is ahead of the cache. */
  readonly future: boolean;
  readonly lagMax: WatcherLag;
  /** Called once, when it is stopped or ended. */
  readonly closed: (watcher: CacheWatcher<T>) => void;
  readonly slow: () => void;
}

/** One watch of a cache: a position in its group's log, advanced by the fan-out. */
export class CacheWatcher<T> implements WatchHandle, FanOutTask {
  readonly request: WatchRequest;
  readonly #options: CacheWatcherOptions<T>;
  readonly #sink: WatchSink<T>;
  readonly #group: WatcherGroup<T>;
  #position: LogPlace<T>;
  #backlog: Iterator<readonly WatchEvent<T>[]> | undefined;
  readonly #filtered: boolean;
  #lastSent: Revision;
  #blocked = false;
  #stopped = false;

  /** `backlog`: portions to send before the events of the group. */
  constructor(options: CacheWatcherOptions<T>, backlog: Iterator<readonly WatchEvent<T>[]> | undefined) {
    this.#options = options;
    this.request = options.request;
    this.#sink = options.sink;
    this.#group = options.group;
    this.#position = options.group.tail;
    this.#backlog = backlog;
    // A watch that begins with the state knows its revision only after that.
    this.#lastSent = options.request.start.kind === "state" ? noRevision : options.after;
    this.#filtered = options.request.matches !== undefined || !options.groupCovered || options.future;
    options.group.add(this);
    if (this.#backlog !== undefined) options.fanOut.add(this);
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#backlog = undefined;
    this.#group.remove(this);
    this.#options.fanOut.remove(this);
    this.#options.closed(this);
  }

  end(error: Error | undefined): void {
    if (this.#stopped) return;
    this.stop();
    this.#sink.end(error);
  }

  /** Sends the backlog, then what the log collected meanwhile. */
  run(expired: () => boolean): boolean {
    while (this.#backlog !== undefined && !this.#stopped) {
      if (this.#blocked || this.#waitUntilReady()) return true;
      const portion = this.#backlog.next();
      // The state ends with its mark. An informer that has seen the mark must miss no later event.
      if (portion.done === true || isMark(portion.value)) this.#backlog = undefined;
      if (portion.done !== true) this.#send(portion.value);
      if (expired()) return false;
    }
    this.deliver();
    return true;
  }

  /** Sends the next events of the group's log. The rest follows in later turns, unless the watch is immediate. */
  deliver(): void {
    do {
      if (this.#stopped || this.#position === this.#group.tail) return;
      if (this.#backlog !== undefined || this.#blocked || this.#waitUntilReady()) {
        this.#endIfTooSlow();
        return;
      }
      const { events, end } = this.#filtered
        ? portionFrom(this.#position, this.#shown)
        : this.#group.unfilteredFrom(this.#position);
      this.#position = end;
      this.#send(events);
    } while (this.request.immediate === true);
    if (!this.#stopped && this.#position !== this.#group.tail) this.#options.fanOut.add(this);
  }

  /** Sends a bookmark if the watcher has everything up to `revision`. Otherwise returns false, and must be called again. */
  bookmark(event: WatchEvent<T>): boolean {
    this.deliver();
    if (this.#stopped) return true;
    if (this.#backlog !== undefined || this.#position !== this.#group.tail) return false;
    if (event.revision > this.#lastSent) this.#send([event]);
    return true;
  }

  readonly #shown = (event: CacheEvent<T>): WatchEvent<T> | undefined => {
    const { after, groupCovered } = this.#options;
    if (event.revision <= after) return undefined;
    if (!groupCovered && !covers(this.request, event.key)) return undefined;
    return event.shownTo(this.request);
  };

  #send(events: readonly WatchEvent<T>[]): void {
    const last = events[events.length - 1];
    if (last === undefined) return;
    if (last.revision > this.#lastSent) this.#lastSent = last.revision;
    this.#sink.events(events);
  }

  #waitUntilReady(): boolean {
    const ready = this.#sink.ready?.();
    if (ready === undefined) return false;
    this.#blocked = true;
    void ready.then(() => {
      this.#blocked = false;
      if (!this.#stopped) this.#options.fanOut.add(this);
    });
    return true;
  }

  #endIfTooSlow(): void {
    const { lagMax, slow } = this.#options;
    const { tail } = this.#group;
    const events = tail.sequence - this.#position.sequence;
    const bytes = tail.bytes - this.#position.bytes;
    if (events <= lagMax.events && bytes <= lagMax.bytes) return;
    slow();
    this.end(new StorageError("Unavailable", "the watcher fell too far behind"));
  }
}

/** Whether the event marks the end of the initial state. */
function isMark<T>([event]: readonly WatchEvent<T>[]): boolean {
  return event?.type === "BOOKMARK" && event.initialEventsEnd;
}
