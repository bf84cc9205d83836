import { setMaxListeners } from "node:events";
import { asError } from "../../apimachinery/errors/as-error.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { systemClock } from "../../time/clock.js";
import { type AnnouncedWrite, hasLocalCommits, type KvEvent, type Revision, toRevision } from "../kv.js";
import type {
  CreateOptions,
  ListRequest,
  ListResult,
  ObjectStore,
  ReadVersion,
  StoredObject,
  WatchHandle,
  WatchRequest,
  WatchSink,
  WriteConflict,
  WriteState,
} from "../object-store.js";
import { pendingWriteOf } from "../store/announced-writes.js";
import { ObjectReader } from "../store/object-reader.js";
import { type BaseObjectStore, createObjectStore, type ObjectStoreOptions } from "../store/object-store.js";
import { OwnWrites } from "../store/own-writes.js";
import type { CacheFeed } from "./cache-feed.js";
import type { CacheObserver } from "./cache-observer.js";
import type { WatcherLag } from "./cache-watcher.js";
import { CachedReads } from "./cached-reads.js";
import type { EventObjects } from "./event-batches.js";
import type { FanOut } from "./fan-out.js";
import { FreshViews } from "./fresh-views.js";
import type { Collection, InheritedCollections } from "./inherited-collections.js";
import { readCollection } from "./read-collection.js";
import { Reflector } from "./reflector.js";
import { withSharedAttributes } from "./shared-attributes.js";
import { SortedIndex } from "./sorted-index.js";
import { WatchCache } from "./watch-cache.js";
import { WatchStarts } from "./watch-starts.js";
import { Watchers } from "./watchers.js";
import { WriteAnswers } from "./write-answers.js";

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
   * Whether bookmarks have the revision of the whole store, so that a watch can be resumed however quiet its resource was; false: the
   * last event of the resource. Default: true. Source: KEP-1904.
   */
  readonly bookmarkProgress?: boolean | undefined;
  /**
   * Whether a write is answered only once the cache has it, so that reads at any version and immediate watches reflect it from then on.
   * With commits of this process it costs nothing; otherwise a write takes as long as its event. After `futureWaitMs` it is answered
   * anyway. Default false.
   */
  readonly awaitOwnWrites?: boolean | undefined;
  /** Collections inherited from another cache, which need not be read at first. */
  readonly inheritedCollections?: InheritedCollections<T> | undefined;
  /** Whether the store answers lists of the most recent state. Default: false, the cache answers once it is recent enough. */
  readonly listsFromStore?: boolean | undefined;
  /** Whether the store serves watches that begin with the most recent state. Default: false. */
  readonly watchesFromStore?: boolean | undefined;
  /**
   * Whether the cache is compared with the store now and then; while they differ, the store answers lists of past states. Default: false.
   */
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
  readonly #ownWrites: OwnWrites<T>;
  readonly #cache: WatchCache<T>;
  readonly #reflector: Reflector<T>;
  readonly #views: FreshViews<T>;
  readonly #reads: CachedReads<T>;
  readonly #watchers: Watchers<T>;
  readonly #answers: WriteAnswers<T>;
  readonly #stopping = new AbortController();
  readonly #watchStarts: WatchStarts<T>;

  constructor(given: CacherOptions<T>) {
    const options = { ...given, codec: withSharedAttributes(given.codec) };
    setMaxListeners(0, this.#stopping.signal); // every watch that the store serves is one
    const { clock = systemClock, random = Math.random, fanOut, feed, observer, prefix, codec } = options;
    this.#options = options;
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
    const waitMs = options.futureWaitMs ?? 3000;
    this.#views = new FreshViews({ reflector, cache: this.#cache, feed, clock, waitMs });
    this.#reads = new CachedReads({
      kv: options.kv,
      prefix,
      clock,
      random,
      store: this.#store,
      reflector,
      views: this.#views,
      listsFromStore: options.listsFromStore === true,
      isCompared: options.isCompared === true,
      observer,
    });
    this.#answers = new WriteAnswers({
      clock,
      reflector,
      fanOut,
      waitMs: options.awaitOwnWrites === true ? waitMs : undefined,
    });
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
    return this.#reads.collection();
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
    this.#reads.stop();
    this.#watchStarts.stop();
    this.#watchers.endAll(undefined);
    this.#views.giveUp();
    this.#answers.giveUp();
    // Others may still reference a stopped cache, so its memory is freed explicitly.
    this.#cache.clear();
  }

  get(key: string, at: ReadVersion): MaybePromise<StoredObject<T>> {
    return this.#reads.get(key, at);
  }

  list(request: ListRequest): Promise<ListResult<T>> {
    return this.#reads.list(request);
  }

  watch(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    return this.#watchStarts.begin(request, sink);
  }

  create(key: string, object: T, options?: CreateOptions): Promise<StoredObject<T>> {
    return this.#answers.after(this.#store.create(key, object, options));
  }

  begin(key: string, newest = false): MaybePromise<WriteState<T>> {
    const object = newest ? undefined : this.#cached(key);
    return object === undefined ? this.#store.begin(key) : { key, object };
  }

  newerThan(state: WriteState<T>): Promise<WriteState<T> | undefined> {
    return this.#store.newerThan(state);
  }

  replace(
    state: WriteState<T>,
    object: T,
    options?: CreateOptions,
  ): Promise<StoredObject<T> | WriteConflict<T>> {
    return this.#answers.after(this.#store.replace(state, object, options));
  }

  remove(state: WriteState<T>): Promise<StoredObject<T> | WriteConflict<T>> {
    return this.#answers.after(this.#store.remove(state));
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

  #cached(key: string): StoredObject<T> | undefined {
    return this.#reflector.isLive ? this.#cache.index.get(key) : undefined;
  }

  async #read(): Promise<Collection<T>> {
    const { kv, prefix, inheritedCollections } = this.#options;
    const inherited = await inheritedCollections?.take(prefix, this.#reader);
    if (inherited !== undefined) return inherited;
    const { keys, values, revision } = await readCollection(kv, prefix, this.#reader);
    return { index: SortedIndex.fromSorted(keys, values), revision };
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
    this.#reads.keepComparing();
  }

  #apply(events: readonly KvEvent[], objects: EventObjects<T>, revision: Revision): void {
    const receivedAt = this.#watchers.size > 0 ? performance.now() : 0;
    const applied = this.#cache.apply(events, objects, receivedAt);
    for (const event of applied) this.#watchers.append(event);
    this.#watchers.deliverImmediately();
    this.#answers.applied(revision);
    this.#options.observer?.eventsApplied?.(applied.length);
  }

  #lost(error: unknown): void {
    this.#watchers.endAll(asError(error));
    this.#views.giveUp();
    this.#answers.giveUp();
  }
}
