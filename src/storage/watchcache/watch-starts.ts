import { asError } from "../../apimachinery/errors/as-error.js";
import type { Clock } from "../../time/clock.js";
import { type KeyValueStore, noRevision, type Revision, toRevision } from "../kv.js";
import type { ReadVersion, WatchHandle, WatchRequest, WatchSink } from "../object-store.js";
import { StorageError } from "../storage-error.js";
import type { BaseObjectStore } from "../store/object-store.js";
import type { CacheFeed } from "./cache-feed.js";
import type { CacheObserver } from "./cache-observer.js";
import { CatchUpWatch } from "./catch-up-watch.js";
import type { FreshViews } from "./fresh-views.js";
import type { Reflector } from "./reflector.js";
import { SleepingWatch } from "./sleeping-watch.js";
import { historyOf, stateOf } from "./watch-backlog.js";
import type { WatchCache } from "./watch-cache.js";
import type { Watchers } from "./watchers.js";

export interface WatchStartsParts<T> {
  readonly kv: Pick<KeyValueStore, "requestProgress">;
  readonly prefix: string;
  readonly feed: CacheFeed;
  readonly clock: Clock;
  readonly store: BaseObjectStore<T>;
  readonly cache: WatchCache<T>;
  readonly reflector: Reflector<T>;
  readonly views: FreshViews<T>;
  readonly watchers: Watchers<T>;
  readonly watchesFromStore: boolean;
  readonly observer: CacheObserver | undefined;
}

/**
 * Starts the watches of a cache: among its watchers, with the events of the window that they lack; at the store, while the cache cannot
 * serve them; or asleep, until there is an object.
 */
export class WatchStarts<T> {
  readonly #parts: WatchStartsParts<T>;
  /** Watches that wait for the first object. */
  readonly #asleep = new Map<WatchSink<T>, SleepingWatch>();

  constructor(parts: WatchStartsParts<T>) {
    this.#parts = parts;
  }

  /** Rejects when the watch cannot start. */
  async begin(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    if (this.#parts.watchesFromStore && startsWithNewest(request))
      return this.#parts.store.watch(request, sink);
    const { state } = this.#parts.reflector;
    if (state === "idle" && request.lazy === true) return await this.#watchAsleep(request, sink);
    if (state !== "live" && state !== "stopped") {
      void this.#parts.reflector.ready();
      await this.#parts.reflector.attempted();
    }
    if (!this.#parts.reflector.isLive) return this.#watchStore(request, sink);
    if (request.start.kind === "exact" && request.start.revision !== noRevision) {
      const after = request.start.revision;
      const { recent } = this.#parts.cache;
      if (!recent.covers(after) && !(await this.#parts.store.holds(toRevision(after + 1)))) {
        throw tooOldForWatch(after, recent.low);
      }
      return this.#parts.reflector.isLive
        ? this.#watchFrom(request, after, sink)
        : this.#watchStore(request, sink);
    }
    const at: ReadVersion = request.start.kind === "state" ? request.start.at : { kind: "mostRecent" };
    const seen = at.kind === "exact" ? undefined : this.#parts.views.at(at);
    const waited = seen instanceof Promise ? await seen : seen;
    if (waited === undefined || !this.#parts.reflector.isLive) return this.#watchStore(request, sink);
    // The exact revision at which the watcher joins, including events applied since the view was found recent enough.
    const view = this.#parts.views.newest();
    return this.#parts.watchers.join({
      request,
      sink,
      after: view.revision,
      backlog: request.start.kind === "state" ? stateOf(view, request) : undefined,
    });
  }

  #watchStore(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    this.#parts.observer?.storeFallback?.("watch");
    return this.#parts.store.watch(request, sink);
  }

  async #watchAsleep(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    const { feed, prefix, clock } = this.#parts;
    const asleep = new SleepingWatch({
      feed,
      clock,
      prefix,
      wake: (after) => {
        this.#asleep.delete(sink);
        const start = after === undefined ? request.start : ({ kind: "exact", revision: after } as const);
        return this.begin({ ...request, lazy: false, start }, sink).catch((error: unknown) => {
          // The caller has long had its handle, so the error goes to the sink.
          sink.end(asError(error));
          return { stop: () => undefined };
        });
      },
    });
    this.#asleep.set(sink, asleep);
    await asleep.begin();
    return {
      stop: () => {
        this.#asleep.delete(sink);
        asleep.stop();
      },
    };
  }

  #watchFrom(request: WatchRequest, after: Revision, sink: WatchSink<T>): WatchHandle {
    const { recent } = this.#parts.cache;
    if (recent.covers(after)) {
      const events = recent.after(after);
      return this.#parts.watchers.join({
        request,
        sink,
        after,
        future: after > this.#parts.reflector.progress(),
        backlog: events.length > 0 ? historyOf(events, request) : undefined,
      });
    }
    this.#parts.observer?.storeFallback?.("watch");
    const catchUp = new CatchUpWatch<T>({
      sink,
      tooOld: () => tooOldForWatch(after, recent.low),
      follow: (replay, passed) => this.#parts.store.follow(request, after, replay, passed),
      join: (revision) =>
        this.#parts.reflector.isLive && recent.covers(revision)
          ? this.#watchFrom(request, revision, sink)
          : undefined,
    });
    this.#parts.feed.requestProgress();
    void this.#parts.kv.requestProgress().catch(() => undefined); // the next event will do
    return catchUp;
  }

  /** Ends the watches that are asleep. */
  stop(): void {
    for (const [sink, watch] of this.#asleep) {
      watch.stop();
      sink.end(undefined);
    }
    this.#asleep.clear();
  }
}

function tooOldForWatch(after: Revision, low: Revision): StorageError {
  return new StorageError("Compacted", `too old resource version: ${after} (${low})`, { revision: after });
}

/**
 * The cache always serves watches of the server's own informers, which must not lag, and watches that replace lists, whatever
 * `watchesFromStore` says.
 */
function startsWithNewest({ start, immediate, bookmarkAfterState }: WatchRequest): boolean {
  const isNewest = start.kind === "state" && start.at.kind === "mostRecent";
  return isNewest && immediate !== true && bookmarkAfterState !== true;
}
