import { setMaxListeners } from "node:events";
import { asError } from "../../apimachinery/errors/as-error.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { type Clock, systemClock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import {
  type AnnouncedWrite,
  hasLocalCommits,
  type KvEvent,
  noRevision,
  type Revision,
  toRevision,
} from "../kv.js";
import {
  type CreateOptions,
  type ListRequest,
  type ListResult,
  type ObjectStore,
  Overtaken,
  type ReadVersion,
  type StoredObject,
  type WatchHandle,
  type WatchRequest,
  type WatchSink,
  type WriteState,
} from "../object-store.js";
import { StorageError } from "../storage-error.js";
import { pendingWriteOf } from "../store/announced-writes.js";
import { ObjectReader } from "../store/object-reader.js";
import {
  type BaseObjectStore,
  createObjectStore,
  futureRevision,
  keyNotFound,
  type ObjectStoreOptions,
} from "../store/object-store.js";
import { OwnWrites } from "../store/own-writes.js";
import { CacheEvent } from "./cache-event.js";
import type { CacheFeed, FeedSubscription, FeedTarget } from "./cache-feed.js";
import type { CacheObserver } from "./cache-observer.js";
import type { WatcherLag } from "./cache-watcher.js";
import { CatchUpWatch } from "./catch-up-watch.js";
import { keepComparing } from "./consistency-check.js";
import { EventBatches, type EventObjects } from "./event-batches.js";
import { EventWindow } from "./event-window.js";
import type { FanOut } from "./fan-out.js";
import type { Collection, InheritedCollections } from "./inherited-collections.js";
import { KvWatchFeed } from "./kv-watch-feed.js";
import { listView, type View } from "./list-view.js";
import { LocalCommitFeed } from "./local-commit-feed.js";
import { readCollection } from "./read-collection.js";
import { RevisionWaiters } from "./revision-waiters.js";
import { withSharedAttributes } from "./shared-attributes.js";
import { SleepingWatch } from "./sleeping-watch.js";
import { SortedIndex } from "./sorted-index.js";
import { historyOf, stateOf } from "./watch-backlog.js";
import { Watchers } from "./watchers.js";

export interface CacherOptions<T> extends Omit<ObjectStoreOptions<T>, "ownWrites" | "stopping"> {
  /** Shared by the caches of one store. */
  readonly feed: CacheFeed;
  /** Minimum number of events that the window of recent events holds; it grows by itself. */
  readonly windowEvents: number;
  /** Shared by all caches of a process. */
  readonly fanOut: FanOut;
  /** How far a watcher that is not ready may fall behind. Default 10,000 events and 16 MiB. */
  readonly lagMax?: Partial<WatcherLag> | undefined;
  /**
   * Bookmarks tell how far the whole store has come, so that a watch can be resumed however quiet its resource was; false: only the
   * last event of the resource. Default true. Source: KEP-1904.
   */
  readonly bookmarkProgress?: boolean | undefined;
  /**
   * A write is answered when the cache has it, so that reads at any version and immediate watches reflect it from then on. It costs
   * nothing where the commits come from this process; elsewhere a write takes as long as its event. After `futureWaitMs`
   * it is answered anyway. Default false.
   */
  readonly awaitOwnWrites?: boolean | undefined;
  /** What need not be read at first. */
  readonly handedOver?: InheritedCollections<T> | undefined;
  /** Lists of the most recent state are left to the store. Default false: the cache answers once it is recent enough. */
  readonly listsFromStore?: boolean | undefined;
  /** Watches that begin with the most recent state are left to the store. Default false. */
  readonly watchesFromStore?: boolean | undefined;
  /** The cache is compared with the store now and then; while they differ, the store answers lists of former states. Default false. */
  readonly isCompared?: boolean | undefined;
  readonly observer?: CacheObserver | undefined;
}

export interface Cacher<T> extends ObjectStore<T> {
  /**
   * Starts the cache if necessary; resolves once reads are served from it. Stays pending while the store cannot be read.
   */
  ready(): Promise<void>;
  /**
   * Another thread is about to store `value`: its event will need no decoding. Returns what forgets it, should it not be stored.
   */
  expect(write: AnnouncedWrite, value: Uint8Array): () => void;
  /** What it holds now; undefined while it has not read the collection. */
  collection(): Collection<T> | undefined;
  /** Ends all watches; afterwards reads go to the store and every new watch ends at once. */
  stop(): void;
}

/**
 * An `ObjectStore` that answers from memory whenever that is correct, exactly as the store below it would. It reads the collection on
 * first use or on `ready`; until then, and while it has lost track, the store answers.
 */
export function createCacher<T>(options: CacherOptions<T>): Cacher<T> {
  return new WatchCache(options);
}

/** The feed that fits a store: its own commits when it is in this process, watches otherwise. */
export function createCacheFeed(
  options: Pick<CacherOptions<unknown>, "kv" | "clock" | "random"> & {
    /** Begins the keys of all collections, and ends with a slash. */
    readonly root: string;
    readonly interrupted?: ((prefix: string, error: unknown) => void) | undefined;
  },
): CacheFeed {
  const { kv, root, clock = systemClock, random = Math.random, interrupted } = options;
  return hasLocalCommits(kv)
    ? new LocalCommitFeed(kv)
    : new KvWatchFeed({ kv, root, clock, random, interrupted });
}

type State = "idle" | "loading" | "live" | "stopped";

const retryPauseMs = 250;
const retryPauseMsMax = 5000;
/** How often old events are removed. */
const expiryMs = 10_000;
const defaultLagMax: WatcherLag = { events: 10_000, bytes: 16 * 1024 * 1024 };

class WatchCache<T> implements Cacher<T> {
  readonly #options: CacherOptions<T>;
  readonly #store: BaseObjectStore<T>;
  readonly #reader: ObjectReader<T>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #waitMs: number;
  readonly #ownWrites: OwnWrites<T>;
  readonly #window: EventWindow<T>;
  readonly #watchers: Watchers<T>;
  readonly #waiters: RevisionWaiters;
  /** Own writes whose event has not been applied yet. */
  readonly #writes: RevisionWaiters;
  readonly #stopping = new AbortController();
  /** Watches that wait for the first object. */
  readonly #asleep = new Map<WatchSink<T>, SleepingWatch>();
  #state: State = "idle";
  #index: SortedIndex<StoredObject<T>> = SortedIndex.empty();
  /** Of the bodies in the index. */
  #bytes = 0;
  #subscription: FeedSubscription | undefined;
  /** Cancels the next removal of old events. */
  #expiry: (() => void) | undefined;
  readonly #batches: EventBatches<T>;
  #stopComparing: (() => void) | undefined;
  /** Whether the cache was the same as the store when they were last compared. */
  #isConsistent = true;
  /** Last revision applied. */
  #applied = noRevision;
  #loaded: Promise<void> | undefined;
  /** Settles when the current attempt to read the collection has succeeded or failed. */
  #attempt: Promise<void> = Promise.resolve();

  constructor(given: CacherOptions<T>) {
    const options = { ...given, codec: withSharedAttributes(given.codec) };
    setMaxListeners(0, this.#stopping.signal); // every watch that the store serves is one
    const { clock = systemClock, random = Math.random, windowEvents, fanOut, feed, observer } = options;
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#waitMs = options.futureWaitMs ?? 3000;
    this.#ownWrites = new OwnWrites({ eventsComeFirst: hasLocalCommits(options.kv) });
    this.#store = createObjectStore({
      ...options,
      ownWrites: this.#ownWrites,
      stopping: this.#stopping.signal,
    });
    this.#reader = new ObjectReader(options.prefix, options.codec, options.transformer, {
      onUndecodable: () => observer?.undecodable?.(),
    });
    this.#window = new EventWindow(windowEvents);
    this.#batches = new EventBatches({
      decode: (events) => this.#objectsOf(events),
      apply: (events, objects, revision) => this.#apply(events, objects, revision),
      caughtUp: () => this.#progressed(),
      failed: (error) => this.#lost(error),
    });
    this.#waiters = new RevisionWaiters(clock);
    this.#writes = new RevisionWaiters(clock);
    this.#watchers = new Watchers({
      clock,
      random,
      fanOut,
      lagMax: { ...defaultLagMax, ...options.lagMax },
      progress: () => (options.bookmarkProgress === false ? this.#applied : this.#progress()),
      requestProgress: () => feed.requestProgress(),
      observer,
    });
  }

  ready(): Promise<void> {
    this.#loaded ??= this.#keepLoading();
    return this.#loaded;
  }

  collection(): Collection<T> | undefined {
    return this.#state === "live" ? this.#newest() : undefined;
  }

  expect(write: AnnouncedWrite, value: Uint8Array): () => void {
    if (this.#state !== "live") return () => undefined;
    const { codec, prefix } = this.#options;
    const pending = pendingWriteOf(codec, prefix, write, value);
    this.#ownWrites.add(write.key, pending);
    return () => this.#ownWrites.remove(write.key, pending);
  }

  stop(): void {
    if (this.#state === "stopped") return;
    this.#state = "stopped";
    this.#stopping.abort();
    this.#subscription?.stop();
    this.#batches.clear();
    this.#expiry?.();
    this.#stopComparing?.();
    for (const [sink, watch] of this.#asleep) {
      watch.stop();
      sink.end(undefined);
    }
    this.#asleep.clear();
    this.#watchers.endAll(undefined);
    this.#waiters.giveUp();
    this.#writes.giveUp();
    // Others may hold on to a stopped cache for some time.
    this.#index = SortedIndex.empty();
    this.#bytes = 0;
    this.#window.reset(noRevision, this.#index);
  }

  async get(key: string, at: ReadVersion): Promise<StoredObject<T>> {
    const seen = at.kind === "exact" ? undefined : this.#view(at);
    const view = seen instanceof Promise ? await seen : seen;
    if (view === undefined) {
      this.#options.observer?.storeFallback?.("get");
      return this.#store.get(key, at);
    }
    const object = view.index.get(key);
    if (object === undefined) throw keyNotFound(key, view.revision);
    return object;
  }

  async list(request: ListRequest): Promise<ListResult<T>> {
    const { at } = request;
    // Do not rely on compacted history that happens to be in the window: tokens expire, with or without a cache.
    const seen = this.#viewOfList(at);
    const view = seen instanceof Promise ? await seen : seen;
    const { observer, listsFromStore } = this.#options;
    const isConsistent = at.kind === "mostRecent" && this.#state === "live" && listsFromStore !== true;
    if (view !== undefined && (at.kind !== "exact" || (await this.#store.holds(at.revision)))) {
      if (isConsistent) observer?.consistentRead?.(true, false);
      return listView(view, request, observer);
    }
    observer?.storeFallback?.("list");
    const listed = this.#store.list(request);
    if (isConsistent) {
      listed.then(
        () => observer?.consistentRead?.(true, true),
        () => observer?.consistentRead?.(false, true),
      );
    }
    return listed;
  }

  #viewOfList(at: ListRequest["at"]): MaybePromise<View<T> | undefined> {
    if (at.kind === "exact") return this.#viewAt(at.revision);
    const isLeft = at.kind === "mostRecent" && this.#options.listsFromStore === true;
    return isLeft ? undefined : this.#view(at);
  }

  async watch(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    if (this.#options.watchesFromStore === true && startsWithNewest(request))
      return this.#store.watch(request, sink);
    if (this.#state === "idle" && request.lazy === true) return await this.#watchAsleep(request, sink);
    if (this.#state !== "live" && this.#state !== "stopped") {
      void this.ready();
      await this.#attempt;
    }
    if (this.#state !== "live") {
      this.#options.observer?.storeFallback?.("watch");
      return this.#store.watch(request, sink);
    }
    if (request.start.kind === "exact" && request.start.revision !== noRevision) {
      const after = request.start.revision;
      if (!this.#window.covers(after) && !(await this.#store.holds(toRevision(after + 1)))) {
        throw tooOldForWatch(after, this.#window.low);
      }
      if (this.#state === "live") return this.#watchFrom(request, after, sink);
      this.#options.observer?.storeFallback?.("watch");
      return this.#store.watch(request, sink);
    }
    const at: ReadVersion = request.start.kind === "state" ? request.start.at : { kind: "mostRecent" };
    const seen = at.kind === "exact" ? undefined : this.#view(at);
    const waited = seen instanceof Promise ? await seen : seen;
    if (waited === undefined || this.#state !== "live") {
      this.#options.observer?.storeFallback?.("watch");
      return this.#store.watch(request, sink);
    }
    // The exact revision at which the watcher joins, including events applied since the view was found recent enough.
    const view = this.#newest();
    return this.#watchers.join({
      request,
      sink,
      after: view.revision,
      backlog: request.start.kind === "state" ? stateOf(view, request) : undefined,
    });
  }

  create(key: string, object: T, options?: CreateOptions): Promise<StoredObject<T>> {
    return this.#written(this.#store.create(key, object, options));
  }

  begin(key: string, newest = false): MaybePromise<WriteState<T>> {
    const object = newest ? undefined : this.#cached(key);
    return object === undefined ? this.#store.begin(key) : { key, object };
  }

  newerThan(state: WriteState<T>): Promise<WriteState<T> | undefined> {
    return this.#store.newerThan(state);
  }

  replace(state: WriteState<T>, object: T, options?: CreateOptions): Promise<StoredObject<T> | Overtaken<T>> {
    return this.#written(this.#store.replace(state, object, options));
  }

  remove(state: WriteState<T>): Promise<StoredObject<T> | Overtaken<T>> {
    return this.#written(this.#store.remove(state));
  }

  removeUnreadable(key: string): Promise<boolean> {
    return this.#store.removeUnreadable(key);
  }

  async count(): Promise<number> {
    return this.#state === "live" ? this.#index.size : this.#store.count();
  }

  knownSize(key: string): number | undefined {
    return this.#state === "live" ? this.#index.get(key)?.body.length : undefined;
  }

  get knownCount(): number | undefined {
    return this.#state === "live" ? this.#index.size : undefined;
  }

  get knownBytes(): number | undefined {
    return this.#state === "live" ? this.#bytes : undefined;
  }

  async currentRevision(): Promise<Revision> {
    if (this.#state !== "live") return this.#store.currentRevision();
    const newest = await this.#options.feed.newestRevision();
    return toRevision(Math.max(newest, this.#progress()));
  }

  #written<W extends StoredObject<T> | Overtaken<T>>(write: Promise<W>): Promise<W> {
    return this.#whenSent(this.#options.awaitOwnWrites === true ? this.#whenApplied(write) : write);
  }

  /** Watchers that are not behind get the event before the writer is answered: controllers decide by what they have seen. */
  #whenSent<W>(write: Promise<W>): Promise<W> {
    return write.then((written) => {
      const { leaving } = this.#options.fanOut;
      return leaving === undefined ? written : leaving.then(() => written);
    });
  }

  async #whenApplied<W extends StoredObject<T> | Overtaken<T>>(write: Promise<W>): Promise<W> {
    const written = await write;
    if (!(written instanceof Overtaken) && this.#state === "live" && written.revision > this.#applied)
      await this.#writes.wait(written.revision, this.#waitMs);
    return written;
  }

  #cached(key: string): StoredObject<T> | undefined {
    return this.#state === "live" ? this.#index.get(key) : undefined;
  }

  /** Everything up to this revision is in the index. */
  #progress(): Revision {
    if (this.#batches.isBehind) return this.#applied;
    return this.#subscription?.reached() ?? noRevision;
  }

  #newest(): View<T> {
    return { index: this.#index, revision: this.#progress() };
  }

  /** The newest view that satisfies `at`, after waiting if necessary; undefined sends the reader to the store. */
  #view(at: Exclude<ReadVersion, { readonly kind: "exact" }>): MaybePromise<View<T> | undefined> {
    if (this.#state !== "live") {
      if (this.#state === "idle") void this.ready();
      return undefined;
    }
    if (at.kind === "any") return this.#newest();
    if (at.kind === "notOlderThan") {
      if (at.revision <= this.#progress()) return this.#newest();
      return this.#viewWhenReached(at.revision, "fail");
    }
    const required = this.#options.feed.newestRevision();
    if (required instanceof Promise) {
      return required.then((revision) => this.#viewWhenReached(revision, "store"));
    }
    if (required <= this.#progress()) return this.#newest();
    return this.#viewWhenReached(required, "store");
  }

  async #viewWhenReached(revision: Revision, otherwise: "fail" | "store"): Promise<View<T> | undefined> {
    if (await this.#reach(revision)) return this.#newest();
    if (this.#state !== "live" || otherwise === "store") return undefined;
    throw futureRevision(revision, this.#progress());
  }

  /** The state at exactly `revision`; undefined when it is too old for the cache. */
  #viewAt(revision: Revision): MaybePromise<View<T> | undefined> {
    if (this.#state !== "live") return this.#view({ kind: "any" });
    if (!this.#isConsistent || !this.#window.covers(revision)) return undefined;
    if (revision <= this.#progress()) return { index: this.#window.snapshotAt(revision), revision };
    return this.#reach(revision).then((reached) => {
      if (this.#state !== "live" || (reached && !this.#window.covers(revision))) return undefined;
      if (!reached) throw futureRevision(revision, this.#progress());
      return { index: this.#window.snapshotAt(revision), revision };
    });
  }

  async #watchAsleep(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    const { feed, prefix } = this.#options;
    const asleep = new SleepingWatch({
      feed,
      clock: this.#clock,
      prefix,
      wake: (after) => {
        this.#asleep.delete(sink);
        const start = after === undefined ? request.start : ({ kind: "exact", revision: after } as const);
        return this.watch({ ...request, lazy: false, start }, sink).catch((error: unknown) => {
          // The sleeping watch is registered long since.
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

  /** Returns false when the revision did not come in time or the cache lost track. */
  async #reach(revision: Revision): Promise<boolean> {
    if (this.#state !== "live") return false;
    if (revision <= this.#progress()) return true;
    const reached = this.#waiters.wait(revision, this.#waitMs);
    this.#subscription?.setAwaited(true);
    try {
      return (await reached) && this.#state === "live";
    } finally {
      if (this.#waiters.size === 0) this.#subscription?.setAwaited(false);
    }
  }

  #watchFrom(request: WatchRequest, after: Revision, sink: WatchSink<T>): WatchHandle {
    if (this.#window.covers(after)) {
      const events = this.#window.after(after);
      return this.#watchers.join({
        request,
        sink,
        after,
        future: after > this.#progress(),
        backlog: events.length > 0 ? historyOf(events, request) : undefined,
      });
    }
    this.#options.observer?.storeFallback?.("watch");
    const catchUp = new CatchUpWatch<T>({
      sink,
      tooOld: () => tooOldForWatch(after, this.#window.low),
      follow: (replay, passed) => this.#store.follow(request, after, replay, passed),
      join: (revision) =>
        this.#state === "live" && this.#window.covers(revision)
          ? this.#watchFrom(request, revision, sink)
          : undefined,
    });
    this.#options.feed.requestProgress();
    void this.#options.kv.requestProgress().catch(() => undefined); // the next event will do
    return catchUp;
  }

  async #keepLoading(): Promise<void> {
    let pauseMs = retryPauseMs;
    while (this.#state !== "stopped") {
      this.#state = "loading";
      const attempt = this.#load();
      this.#attempt = attempt.then(
        () => undefined,
        () => undefined,
      );
      try {
        await attempt;
        return;
      } catch (error) {
        this.#subscription?.stop();
        this.#options.observer?.failed?.(error);
        await sleep(this.#clock, pauseMs * (0.5 + this.#random()), this.#stopping.signal);
        pauseMs = Math.min(pauseMs * 2, retryPauseMsMax);
      }
    }
  }

  async #load(): Promise<void> {
    const { prefix, feed, observer } = this.#options;
    const startedAt = performance.now();
    const target: FeedTarget = {
      apply: (events, revision) => this.#batches.take(events, revision),
      progressed: () => this.#progressed(),
      lost: (error) => this.#lost(error),
    };
    const subscription = feed.subscribe(prefix, target);
    this.#subscription = subscription;
    const { index, revision } =
      (await this.#options.handedOver?.take(prefix, this.#reader)) ?? (await this.#read());
    if (this.#state !== "loading") {
      subscription.stop();
      return;
    }
    this.#ownWrites.clear();
    this.#index = index;
    this.#bytes = bytesIn(index);
    this.#window.reset(revision, index);
    this.#applied = revision;
    this.#batches.clear();
    this.#state = "live";
    observer?.initialized?.(index.size, performance.now() - startedAt);
    observer?.windowCapacity?.(this.#window.capacity);
    subscription.start(revision);
    this.#keepComparing();
  }

  async #read(): Promise<Collection<T>> {
    const { kv, prefix } = this.#options;
    const { keys, values, revision } = await readCollection(kv, prefix, this.#reader);
    return { index: SortedIndex.fromSorted(keys, values), revision };
  }

  #keepComparing(): void {
    const { kv, prefix, isCompared, observer } = this.#options;
    if (isCompared !== true) return;
    this.#isConsistent = true;
    this.#stopComparing ??= keepComparing({
      kv,
      prefix,
      clock: this.#clock,
      random: this.#random,
      view: () => (this.#state === "live" ? this.#newest() : undefined),
      checked: (outcome) => {
        if (outcome !== "error") this.#isConsistent = outcome === "success";
        observer?.compared?.(outcome);
      },
    });
  }

  #lost(error: unknown): void {
    if (this.#state !== "live") return;
    this.#state = "loading";
    this.#subscription?.stop();
    this.#batches.clear();
    this.#options.observer?.failed?.(error);
    this.#watchers.endAll(asError(error));
    this.#waiters.giveUp();
    this.#writes.giveUp();
    this.#loaded = this.#keepLoading();
  }

  /** The objects as the puts among the events leave them. */
  #objectsOf(events: readonly KvEvent[]): MaybePromise<EventObjects<T>> {
    const objects = events.map(({ type, kv }) =>
      type === "delete" ? undefined : (this.#ownWrites.take(kv) ?? this.#reader.read(kv)),
    );
    return objects.some((object) => object instanceof Promise)
      ? Promise.all(objects)
      : (objects as (StoredObject<T> | undefined)[]); // none is a promise
  }

  #apply(events: readonly KvEvent[], objects: EventObjects<T>, revision: Revision): void {
    const { codec, prefix, observer } = this.#options;
    const recordedAt = this.#clock.now();
    const receivedAt = this.#watchers.size > 0 ? performance.now() : 0;
    const capacity = this.#window.capacity;
    const applied: CacheEvent<T>[] = [];
    const snapshots: SortedIndex<StoredObject<T>>[] = [];
    for (const [position, { kv }] of events.entries()) {
      const key = kv.key.slice(prefix.length);
      const current = objects[position];
      const previous = this.#index.get(key);
      if (current === undefined && previous === undefined) continue;
      this.#bytes += (current?.body.length ?? 0) - (previous?.body.length ?? 0);
      this.#index = current === undefined ? this.#index.delete(key) : this.#index.set(key, current);
      const change = { key, revision: kv.modRevision, current, previous, recordedAt, receivedAt };
      applied.push(new CacheEvent(codec, change));
      snapshots.push(this.#index);
    }
    let last = 0;
    for (const [position, event] of applied.entries()) {
      // The state at a revision includes all of its changes.
      last = Math.max(last, position);
      while (applied[last + 1]?.revision === event.revision) last++;
      this.#window.push(event, snapshots[last] ?? this.#index);
      this.#watchers.append(event);
    }
    this.#applied = revision;
    this.#watchers.deliverImmediately();
    if (this.#writes.size > 0) this.#writes.advance(revision);
    observer?.eventsApplied?.(applied.length);
    if (this.#window.capacity !== capacity) observer?.windowCapacity?.(this.#window.capacity);
    if (this.#expiry === undefined && this.#window.isGrown) this.#expireLater();
  }

  /** Until the window is back at its minimum, so that a quiet server returns the memory of busy times. */
  #expireLater(): void {
    this.#expiry = this.#clock.schedule(expiryMs, () => {
      this.#expiry = undefined;
      const { capacity } = this.#window;
      this.#window.expire(this.#clock.now());
      if (this.#window.capacity !== capacity) this.#options.observer?.windowCapacity?.(this.#window.capacity);
      if (this.#window.isGrown) this.#expireLater();
    });
  }

  #progressed(): void {
    if (this.#waiters.size > 0) this.#waiters.advance(this.#progress());
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

function tooOldForWatch(after: Revision, low: Revision): StorageError {
  return new StorageError("Compacted", `too old resource version: ${after} (${low})`, { revision: after });
}

/** Of watches for the server's own views, which must not lag, and of lists that a watch stands for, the cache takes care whatever is asked. */
function startsWithNewest({ start, immediate, bookmarkAfterState }: WatchRequest): boolean {
  const isNewest = start.kind === "state" && start.at.kind === "mostRecent";
  return isNewest && immediate !== true && bookmarkAfterState !== true;
}
