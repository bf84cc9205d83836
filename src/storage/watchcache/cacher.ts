import { setMaxListeners } from "node:events";
import { asError } from "../../apimachinery/errors/as-error.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { type Clock, systemClock } from "../../time/clock.js";
import { type AnnouncedWrite, hasLocalCommits, type KvEvent, type Revision, toRevision } from "../kv.js";
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
import { keyNotFound } from "../storage-error.js";
import { pendingWriteOf } from "../store/announced-writes.js";
import { ObjectReader } from "../store/object-reader.js";
import { type BaseObjectStore, createObjectStore, type ObjectStoreOptions } from "../store/object-store.js";
import { OwnWrites } from "../store/own-writes.js";
import type { CacheFeed } from "./cache-feed.js";
import type { CacheObserver } from "./cache-observer.js";
import type { WatcherLag } from "./cache-watcher.js";
import { keepComparing } from "./consistency-check.js";
import type { EventObjects } from "./event-batches.js";
import type { FanOut } from "./fan-out.js";
import { FreshViews } from "./fresh-views.js";
import type { Collection, InheritedCollections } from "./inherited-collections.js";
import { listView, type View } from "./list-view.js";
import { readCollection } from "./read-collection.js";
import { Reflector } from "./reflector.js";
import { RevisionWaiters } from "./revision-waiters.js";
import { withSharedAttributes } from "./shared-attributes.js";
import { SortedIndex } from "./sorted-index.js";
import { WatchCache } from "./watch-cache.js";
import { WatchStarts } from "./watch-starts.js";
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
   * A write is answered when the cache has it, so that reads at any version and immediate watches reflect it from then on. With commits of
   * this process it costs nothing; otherwise a write takes as long as its event. After `futureWaitMs` it is answered anyway. Default false.
   */
  readonly awaitOwnWrites?: boolean | undefined;
  /** Collections that need not be read at first. */
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
  /** Another thread is about to store `value`, whose event will need no decoding. Call the returned function if it is not stored. */
  expect(write: AnnouncedWrite, value: Uint8Array): () => void;
  /** What the cache holds now; undefined while it has not read the collection. */
  collection(): Collection<T> | undefined;
  /** Ends all watches; afterwards reads go to the store and every new watch ends at once. */
  stop(): void;
}

/**
 * An `ObjectStore` that answers from memory whenever that is correct, exactly as the store below it would. It reads the collection on
 * first use or on `ready`; until then, and while it has lost track, the store answers.
 */
export function createCacher<T>(options: CacherOptions<T>): Cacher<T> {
  return new CachingStore(options);
}

const defaultLagMax: WatcherLag = { events: 10_000, bytes: 16 * 1024 * 1024 };

class CachingStore<T> implements Cacher<T> {
  readonly #options: CacherOptions<T>;
  readonly #store: BaseObjectStore<T>;
  readonly #reader: ObjectReader<T>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #waitMs: number;
  readonly #ownWrites: OwnWrites<T>;
  readonly #cache: WatchCache<T>;
  readonly #reflector: Reflector<T>;
  readonly #views: FreshViews<T>;
  readonly #watchers: Watchers<T>;
  /** Own writes whose event has not been applied yet. */
  readonly #writes: RevisionWaiters;
  readonly #stopping = new AbortController();
  readonly #watchStarts: WatchStarts<T>;
  #stopComparing: (() => void) | undefined;
  /** Whether the cache equalled the store when they were last compared. */
  #isConsistent = true;

  constructor(given: CacherOptions<T>) {
    const options = { ...given, codec: withSharedAttributes(given.codec) };
    setMaxListeners(0, this.#stopping.signal); // every watch that the store serves is one
    const { clock = systemClock, random = Math.random, fanOut, feed, observer, prefix, codec } = options;
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
    this.#reader = new ObjectReader(prefix, codec, options.transformer, {
      onUndecodable: () => observer?.undecodable?.(),
    });
    this.#cache = new WatchCache({
      codec,
      prefix,
      clock,
      windowEvents: options.windowEvents,
      resized: (events) => observer?.windowCapacity?.(events),
    });
    const reflector = new Reflector<T>({
      feed,
      prefix,
      read: () => this.#read(),
      decode: (events) => this.#objectsOf(events),
      target: {
        replace: (collection) => this.#replace(collection),
        apply: (events, objects, revision) => this.#apply(events, objects, revision),
        progressed: () => this.#views.progressed(),
        lost: (error) => this.#lost(error),
      },
      clock,
      random,
      observer,
    });
    this.#reflector = reflector;
    this.#views = new FreshViews({ reflector, cache: this.#cache, feed, clock, waitMs: this.#waitMs });
    this.#writes = new RevisionWaiters(clock);
    this.#watchers = new Watchers({
      clock,
      random,
      fanOut,
      lagMax: { ...defaultLagMax, ...options.lagMax },
      progress: () => (options.bookmarkProgress === false ? reflector.applied : reflector.progress()),
      requestProgress: () => feed.requestProgress(),
      observer,
    });
    this.#watchStarts = new WatchStarts({
      kv: options.kv,
      prefix,
      feed,
      clock,
      store: this.#store,
      cache: this.#cache,
      reflector,
      views: this.#views,
      watchers: this.#watchers,
      watchesFromStore: options.watchesFromStore === true,
      observer,
    });
  }

  ready(): Promise<void> {
    return this.#reflector.ready();
  }

  collection(): Collection<T> | undefined {
    return this.#reflector.isLive ? this.#views.newest() : undefined;
  }

  expect(write: AnnouncedWrite, value: Uint8Array): () => void {
    if (!this.#reflector.isLive) return () => undefined;
    const { codec, prefix } = this.#options;
    const pending = pendingWriteOf(codec, prefix, write, value);
    this.#ownWrites.add(write.key, pending);
    return () => this.#ownWrites.remove(write.key, pending);
  }

  stop(): void {
    if (this.#reflector.state === "stopped") return;
    this.#reflector.stop();
    this.#stopping.abort();
    this.#stopComparing?.();
    this.#watchStarts.stop();
    this.#watchers.endAll(undefined);
    this.#views.giveUp();
    this.#writes.giveUp();
    // Others may keep a reference to a stopped cache for some time.
    this.#cache.clear();
  }

  get(key: string, at: ReadVersion): MaybePromise<StoredObject<T>> {
    const view = at.kind === "exact" ? undefined : this.#views.at(at);
    return view instanceof Promise
      ? view.then((seen) => this.#find(key, at, seen))
      : this.#find(key, at, view);
  }

  #find(key: string, at: ReadVersion, view: View<T> | undefined): MaybePromise<StoredObject<T>> {
    if (view === undefined) {
      this.#options.observer?.storeFallback?.("get");
      return this.#store.get(key, at);
    }
    const object = view.index.get(key);
    return object ?? Promise.reject(keyNotFound(key, view.revision));
  }

  async list(request: ListRequest): Promise<ListResult<T>> {
    const { at } = request;
    // Do not rely on compacted history that happens to be in the window: tokens expire, with or without a cache.
    const seen = this.#viewOfList(at);
    const view = seen instanceof Promise ? await seen : seen;
    const { observer, listsFromStore } = this.#options;
    const isConsistent = at.kind === "mostRecent" && this.#reflector.isLive && listsFromStore !== true;
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
    if (at.kind === "exact") return this.#isConsistent ? this.#views.exactly(at.revision) : undefined;
    const isLeft = at.kind === "mostRecent" && this.#options.listsFromStore === true;
    return isLeft ? undefined : this.#views.at(at);
  }

  watch(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    return this.#watchStarts.begin(request, sink);
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
    return this.#reflector.isLive ? this.#cache.index.size : this.#store.count();
  }

  knownSize(key: string): number | undefined {
    return this.#reflector.isLive ? this.#cache.index.get(key)?.body.length : undefined;
  }

  get knownCount(): number | undefined {
    return this.#reflector.isLive ? this.#cache.index.size : undefined;
  }

  get knownBytes(): number | undefined {
    return this.#reflector.isLive ? this.#cache.bytes : undefined;
  }

  async currentRevision(): Promise<Revision> {
    if (!this.#reflector.isLive) return this.#store.currentRevision();
    const newest = await this.#options.feed.newestRevision();
    return toRevision(Math.max(newest, this.#reflector.progress()));
  }

  #written<W extends StoredObject<T> | Overtaken<T>>(write: Promise<W>): Promise<W> {
    return this.#whenSent(this.#options.awaitOwnWrites === true ? this.#whenApplied(write) : write);
  }

  /** Watchers that keep up get the event before the writer is answered, because controllers decide by what they have seen. */
  #whenSent<W>(write: Promise<W>): Promise<W> {
    return write.then((written) => {
      const { leaving } = this.#options.fanOut;
      return leaving === undefined ? written : leaving.then(() => written);
    });
  }

  async #whenApplied<W extends StoredObject<T> | Overtaken<T>>(write: Promise<W>): Promise<W> {
    const written = await write;
    if (
      !(written instanceof Overtaken) &&
      this.#reflector.isLive &&
      written.revision > this.#reflector.applied
    )
      await this.#writes.wait(written.revision, this.#waitMs);
    return written;
  }

  #cached(key: string): StoredObject<T> | undefined {
    return this.#reflector.isLive ? this.#cache.index.get(key) : undefined;
  }

  async #read(): Promise<Collection<T>> {
    const { kv, prefix, handedOver } = this.#options;
    const inherited = await handedOver?.take(prefix, this.#reader);
    if (inherited !== undefined) return inherited;
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
      view: () => this.collection(),
      checked: (outcome) => {
        if (outcome !== "error") this.#isConsistent = outcome === "success";
        observer?.compared?.(outcome);
      },
    });
  }

  /** The objects that the events leave behind. */
  #objectsOf(events: readonly KvEvent[]): MaybePromise<EventObjects<T>> {
    const objects = events.map(({ type, kv }) =>
      type === "delete" ? undefined : (this.#ownWrites.take(kv) ?? this.#reader.read(kv)),
    );
    return objects.some((object) => object instanceof Promise)
      ? Promise.all(objects)
      : (objects as (StoredObject<T> | undefined)[]); // none is a promise
  }

  #replace(collection: Collection<T>): void {
    this.#ownWrites.clear();
    this.#cache.replace(collection);
    this.#keepComparing();
  }

  #apply(events: readonly KvEvent[], objects: EventObjects<T>, revision: Revision): void {
    const receivedAt = this.#watchers.size > 0 ? performance.now() : 0;
    const applied = this.#cache.apply(events, objects, receivedAt);
    for (const event of applied) this.#watchers.append(event);
    this.#watchers.deliverImmediately();
    if (this.#writes.size > 0) this.#writes.advance(revision);
    this.#options.observer?.eventsApplied?.(applied.length);
  }

  #lost(error: unknown): void {
    this.#watchers.endAll(asError(error));
    this.#views.giveUp();
    this.#writes.giveUp();
  }
}
