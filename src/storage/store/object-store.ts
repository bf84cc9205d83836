import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { type Clock, systemClock } from "../../time/clock.js";
import {
  type KeyValue,
  type KeyValueStore,
  noRevision,
  prefixEnd,
  type Revision,
  toRevision,
} from "../kv.js";
import type {
  CreateOptions,
  ListRequest,
  ListResult,
  ObjectCodec,
  ObjectStore,
  ReadVersion,
  StoredObject,
  WatchHandle,
  WatchRequest,
  WatchSink,
  WriteState,
} from "../object-store.js";
import { WriteConflict } from "../object-store.js";
import { keyNotFound, StorageError } from "../storage-error.js";
import { createStoredObject } from "../stored-object.js";
import type { ValueTransformer } from "../transform/value-transformer.js";
import { UnreadableObject } from "../unreadable-object.js";
import { type EncodedWrite, encodeCreated, encodeUpdated } from "./encoded-write.js";
import { HeldHistory } from "./held-history.js";
import { LeaseReuse } from "./lease-reuse.js";
import type { ListObserver } from "./list-observer.js";
import { ObjectReader, type ReadState } from "./object-reader.js";
import { type Lost, ObjectWriter } from "./object-writer.js";
import type { WriteRegister } from "./own-writes.js";
import { RestampedObject } from "./restamped-object.js";
import { StoreLister } from "./store-lister.js";
import { StoreWatch, tooOldForWatch } from "./store-watch.js";
import { readOrNot } from "./unreadable-of-list.js";
import { VersionedReads } from "./versioned-reads.js";

export interface ObjectStoreOptions<T> {
  readonly kv: KeyValueStore;
  /** Absolute prefix with a slash at both ends: `/registry/pods/`. */
  readonly prefix: string;
  readonly codec: ObjectCodec<T>;
  /** Undefined stores the codec's bytes as they are. */
  readonly transformer?: ValueTransformer | undefined;
  /** Shared by the resources of a store. */
  readonly leases?: LeaseReuse | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** How long a read waits for a revision that the store has not reached. Default 3000. */
  readonly futureWaitMs?: number | undefined;
  /** Ends all watches, without an error. */
  readonly stopping?: AbortSignal | undefined;
  /** Registers writes for a cache of the same resource. */
  readonly ownWrites?: WriteRegister<T> | undefined;
  readonly listObserver?: ListObserver | undefined;
  /**
   * Whether errors about unreadable objects tell an operator what is needed to delete them, and lists name all of them
   * (`UnreadableObjects`). Default: false.
   */
  readonly namesUnreadable?: boolean | undefined;
}

/** An `ObjectStore` that a cache can build on. */
export interface BaseObjectStore<T> extends ObjectStore<T> {
  /** Whether the state at `revision` has not been compacted. */
  holds(revision: Revision): MaybePromise<boolean>;
  /** Like `watch` from `after`, but without bookmarks. `passed` is called with the revision up to which the sink has everything. */
  follow(
    request: WatchRequest,
    after: Revision,
    sink: WatchSink<T>,
    passed: (revision: Revision) => void,
  ): WatchHandle;
}

/** Serves objects directly from a `KeyValueStore`; every read goes to the store. */
export function createObjectStore<T>(options: ObjectStoreOptions<T>): BaseObjectStore<T> {
  return new KvObjectStore(options);
}

/** A state as the store has read it. */
class ReadWriteState<T> implements WriteState<T> {
  readonly key: string;
  /** With the stored bytes before encryption. */
  readonly read: ReadState<T> | undefined;

  constructor(key: string, read: ReadState<T> | undefined) {
    this.key = key;
    this.read = read;
  }

  get object(): StoredObject<T> | undefined {
    return this.read?.object;
  }
}

class KvObjectStore<T> implements BaseObjectStore<T> {
  readonly #kv: KeyValueStore;
  readonly #prefix: string;
  readonly #codec: ObjectCodec<T>;
  readonly #reader: ObjectReader<T>;
  readonly #writer: ObjectWriter<T>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #stopping: AbortSignal | undefined;
  readonly #namesUnreadable: boolean;
  readonly #history: HeldHistory;
  readonly #reads: VersionedReads;
  readonly #lister: StoreLister<T>;

  constructor(options: ObjectStoreOptions<T>) {
    const { kv, prefix, codec, transformer, ownWrites } = options;
    this.#kv = kv;
    this.#prefix = prefix;
    this.#codec = codec;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#stopping = options.stopping;
    this.#namesUnreadable = options.namesUnreadable === true;
    this.#history = new HeldHistory(kv, prefix, this.#clock);
    const leases = options.leases ?? new LeaseReuse({ kv, clock: this.#clock, reuseDurationSeconds: 60 });
    this.#reader = new ObjectReader(prefix, codec, transformer, {
      reportsUnreadable: options.namesUnreadable,
      onUndecodable: () => options.listObserver?.undecodable?.(),
    });
    this.#writer = new ObjectWriter({ kv, codec, transformer, leases, ownWrites });
    this.#reads = new VersionedReads(kv, this.#clock, options.futureWaitMs ?? 3000);
    this.#lister = new StoreLister({
      kv,
      prefix,
      reader: this.#reader,
      reads: this.#reads,
      observer: options.listObserver,
      namesUnreadable: this.#namesUnreadable,
    });
  }

  async get(key: string, at: ReadVersion): Promise<StoredObject<T>> {
    const start = this.#prefix + key;
    const exact = at.kind === "exact" ? at.revision : undefined;
    const { kvs, revision } = await this.#reads.atLeast(at, () => this.#kv.range({ start, revision: exact }));
    const kv = kvs[0];
    if (kv === undefined) throw keyNotFound(key, revision);
    return this.#reader.read(kv);
  }

  list(request: ListRequest): Promise<ListResult<T>> {
    return this.#lister.list(request);
  }

  async watch(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    if (request.start.kind === "exact") {
      const { revision } = request.start;
      if (revision === noRevision) return this.#startWatch(request, await this.currentRevision(), sink);
      if (!(await this.holds(toRevision(revision + 1)))) throw tooOldForWatch(revision);
      return this.#startWatch(request, revision, sink);
    }
    const { items, revision } = await this.list({ ...request, at: request.start.at, limit: 0 });
    return this.#startWatch(request, revision, sink, { state: items });
  }

  holds(revision: Revision): MaybePromise<boolean> {
    return this.#history.holds(revision);
  }

  follow(
    request: WatchRequest,
    after: Revision,
    sink: WatchSink<T>,
    passed: (revision: Revision) => void,
  ): WatchHandle {
    return this.#startWatch({ ...request, bookmarks: false }, after, sink, { passed });
  }

  create(key: string, object: T, options?: CreateOptions): Promise<StoredObject<T>> {
    return this.#put(key, encodeCreated(this.#codec, key, object), noRevision, options, () => {
      throw new StorageError("KeyExists", `key exists: ${key}`, { key });
    });
  }

  async begin(key: string): Promise<ReadWriteState<T>> {
    const { kvs } = await this.#kv.range({ start: this.#prefix + key });
    return await this.#stateOf(key, kvs[0]);
  }

  async newerThan(state: WriteState<T>): Promise<WriteState<T> | undefined> {
    if (state instanceof ReadWriteState) return undefined;
    const { kvs } = await this.#kv.range({ start: this.#prefix + state.key });
    // Objects of equal revision are equal, so that after a conflict a large one need not be decoded again.
    if (kvs[0]?.modRevision === state.object?.revision) return undefined;
    return await this.#stateOf(state.key, kvs[0]);
  }

  replace(
    state: WriteState<T>,
    object: T,
    options?: CreateOptions,
  ): Promise<StoredObject<T> | WriteConflict<T>> {
    const { key, object: current } = state;
    if (current === undefined) {
      const write = encodeCreated(this.#codec, key, object);
      return this.#put(key, write, noRevision, options, () => this.#conflict(state, undefined));
    }
    const encoded = createStoredObject(this.#codec, key, object, current.revision);
    const write = encodeUpdated(this.#codec, object, encoded);
    const put = (): Promise<StoredObject<T> | WriteConflict<T>> =>
      this.#put(key, write, current.revision, options, (newest) => this.#conflict(state, newest));
    return encoded.body.equals(current.body) ? this.#unlessSame(state, current, write, put) : put();
  }

  remove(state: WriteState<T>): Promise<StoredObject<T> | WriteConflict<T>> {
    const { key, object } = state;
    if (object === undefined) throw keyNotFound(key);
    return this.#writer.delete(
      this.#prefix + key,
      object.revision,
      (revision) => new RestampedObject(this.#codec, object, revision),
      (newest) => this.#conflict(state, newest),
    );
  }

  async removeUnreadable(key: string): Promise<boolean> {
    for (;;) {
      const { kvs, revision } = await this.#kv.range({ start: this.#prefix + key });
      const kv = kvs[0];
      if (kv === undefined) throw keyNotFound(key, revision);
      if (!((await readOrNot(this.#reader, kv)) instanceof UnreadableObject)) return false;
      const isRemoved = await this.#writer.delete(
        kv.key,
        kv.modRevision,
        () => true,
        () => false,
      );
      if (isRemoved) return true;
    }
  }

  async count(): Promise<number> {
    const range = { start: this.#prefix, end: prefixEnd(this.#prefix), countOnly: true };
    return (await this.#kv.range(range)).count;
  }

  currentRevision(): Promise<Revision> {
    return this.#kv.currentRevision();
  }

  #startWatch(
    request: WatchRequest,
    after: Revision,
    sink: WatchSink<T>,
    more: {
      readonly state?: readonly StoredObject<T>[];
      readonly passed?: (revision: Revision) => void;
    } = {},
  ): WatchHandle {
    const options = {
      kv: this.#kv,
      clock: this.#clock,
      random: this.#random,
      codec: this.#codec,
      reader: this.#reader,
      prefix: this.#prefix,
      request,
      sink,
      passed: more.passed,
      stopping: this.#stopping,
      namesUnreadable: this.#namesUnreadable,
    };
    return new StoreWatch(options, after, more.state);
  }

  #put<R>(
    key: string,
    write: EncodedWrite<T>,
    expected: Revision,
    options: CreateOptions | undefined,
    lost: Lost<R>,
  ): Promise<StoredObject<T> | R> {
    const { bytes, stored } = write;
    return this.#writer.put(
      { key: this.#prefix + key, bytes, stored, ttlSeconds: options?.ttlSeconds, expected },
      lost,
    );
  }

  /**
   * Skips the write if the stored bytes are equal to the new ones. Only the bytes can tell, because they may be of an older version or
   * encryption key.
   */
  async #unlessSame(
    state: WriteState<T>,
    current: StoredObject<T>,
    { bytes }: EncodedWrite<T>,
    put: () => Promise<StoredObject<T> | WriteConflict<T>>,
  ): Promise<StoredObject<T> | WriteConflict<T>> {
    const newest = state instanceof ReadWriteState ? state : await this.begin(state.key);
    if (newest.object?.revision !== current.revision) return new WriteConflict(newest);
    const { read } = newest;
    return read?.stale === false && Buffer.compare(read.bytes, bytes) === 0 ? current : await put();
  }

  async #stateOf(key: string, kv: KeyValue | undefined): Promise<ReadWriteState<T>> {
    return new ReadWriteState(key, kv && (await this.#reader.readState(kv)));
  }

  /** A transaction that creates a key does not read its value. */
  async #conflict({ key, object }: WriteState<T>, newest: KeyValue | undefined): Promise<WriteConflict<T>> {
    return new WriteConflict(object === undefined ? await this.begin(key) : await this.#stateOf(key, newest));
  }
}
