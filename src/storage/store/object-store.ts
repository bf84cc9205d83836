import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { Turns } from "../../event-loop/turns.js";
import { type Clock, systemClock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { compareKeys } from "../key-order.js";
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
import { Overtaken } from "../object-store.js";
import { isStorageError, StorageError } from "../storage-error.js";
import { createStoredObject } from "../stored-object.js";
import type { ValueTransformer } from "../transform/value-transformer.js";
import { UnreadableObject, UnreadableObjects } from "../unreadable-object.js";
import { type EncodedWrite, encodeCreated, encodeUpdated } from "./encoded-write.js";
import { HeldHistory } from "./held-history.js";
import { LeaseReuse } from "./lease-reuse.js";
import type { ListObserver } from "./list-observer.js";
import { ObjectReader, type ReadState } from "./object-reader.js";
import { type Lost, ObjectWriter } from "./object-writer.js";
import type { WriteRegister } from "./own-writes.js";
import { RestampedObject } from "./restamped-object.js";
import { selects } from "./selection.js";
import { StoreWatch, tooOldForWatch } from "./store-watch.js";

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
  /** Where writes register for a cache of the same resource. */
  readonly ownWrites?: WriteRegister<T> | undefined;
  readonly listObserver?: ListObserver | undefined;
  /**
   * Errors about objects that cannot be read say what an operator needs to delete them; lists name all (`UnreadableObjects`). Default
   * false.
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

/** How many unreadable objects of a list are named. */
const unreadableMax = 100;
const pageKeys = 2000;
const pageKeysMax = 10_000;

class KvObjectStore<T> implements BaseObjectStore<T> {
  readonly #kv: KeyValueStore;
  readonly #prefix: string;
  readonly #codec: ObjectCodec<T>;
  readonly #reader: ObjectReader<T>;
  readonly #writer: ObjectWriter<T>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #futureWaitMs: number;
  readonly #stopping: AbortSignal | undefined;
  readonly #listObserver: ListObserver | undefined;
  readonly #namesUnreadable: boolean;
  readonly #history: HeldHistory;

  constructor(options: ObjectStoreOptions<T>) {
    const { kv, prefix, codec, transformer, ownWrites } = options;
    this.#kv = kv;
    this.#prefix = prefix;
    this.#codec = codec;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#futureWaitMs = options.futureWaitMs ?? 3000;
    this.#stopping = options.stopping;
    this.#listObserver = options.listObserver;
    this.#namesUnreadable = options.namesUnreadable === true;
    this.#history = new HeldHistory(kv, prefix, this.#clock);
    const leases = options.leases ?? new LeaseReuse({ kv, clock: this.#clock, reuseDurationSeconds: 60 });
    this.#reader = new ObjectReader(prefix, codec, transformer, {
      reportsUnreadable: options.namesUnreadable,
      onUndecodable: () => options.listObserver?.undecodable?.(),
    });
    this.#writer = new ObjectWriter({ kv, codec, transformer, leases, ownWrites });
  }

  async get(key: string, at: ReadVersion): Promise<StoredObject<T>> {
    const start = this.#prefix + key;
    const exact = at.kind === "exact" ? at.revision : undefined;
    const { kvs, revision } = await this.#atLeast(at, () => this.#kv.range({ start, revision: exact }));
    const kv = kvs[0];
    if (kv === undefined) throw keyNotFound(key, revision);
    return this.#reader.read(kv);
  }

  async list(request: ListRequest): Promise<ListResult<T>> {
    const { at, limit, after } = request;
    const range = this.#listRange(request);
    const items: StoredObject<T>[] = [];
    const unselected = request.matches === undefined;
    let start = range.start;
    let pageSize = limit > 0 ? Math.min(limit, pageKeysMax) : pageKeys;
    let revision = at.kind === "exact" ? at.revision : undefined;
    let count: number | undefined;
    let fetched = 0;
    const turns = new Turns();
    const unreadable = this.#namesUnreadable ? new UnreadableOfList() : undefined;
    if (
      after !== undefined &&
      range.end === undefined &&
      compareKeys(this.#prefix + after, range.start) >= 0
    ) {
      // The only key has been read already.
      const newest = revision ?? (await this.currentRevision());
      return { items, revision: newest, continueAfter: undefined, remaining: undefined };
    }
    for (;;) {
      const withoutCount = limit === 0 || !unselected || count !== undefined;
      const request_ = { start, end: range.end, revision, limit: pageSize, withoutCount };
      const page = await (at.kind === "exact" || revision === undefined
        ? this.#atLeast(at, () => this.#kv.range(request_))
        : this.#kv.range(request_));
      // Pages after the first use the same revision.
      revision ??= page.revision;
      count ??= page.count;
      fetched += page.kvs.length;
      let examined = 0;
      let cut = false;
      for (const kv of page.kvs) {
        if (limit > 0 && items.length === limit) {
          cut = true;
          break;
        }
        const read = unreadable === undefined ? this.#reader.read(kv) : unreadable.unless(this.#reader, kv);
        const object = read instanceof Promise ? await read : read;
        if (object !== undefined && selects(request, object)) items.push(object);
        examined++;
        if (turns.isOver()) await turns.next(request.signal);
      }
      const last = page.kvs[examined - 1]?.key;
      const isDone = (limit > 0 && items.length === limit) || !page.more;
      if (isDone) unreadable?.check();
      if (limit > 0 && items.length === limit && (cut || page.more) && last !== undefined) {
        this.#listObserver?.listed?.(fetched, items.length);
        return {
          items,
          revision,
          continueAfter: last.slice(this.#prefix.length),
          remaining: unselected ? count - items.length : undefined,
        };
      }
      if (!page.more || last === undefined) {
        this.#listObserver?.listed?.(fetched, items.length);
        return { items, revision, continueAfter: undefined, remaining: undefined };
      }
      start = `${last}\0`;
      // A selector that matches few objects should not cost a request for every few keys.
      if (!unselected && limit > 0) pageSize = Math.min(pageSize * 2, pageKeysMax);
    }
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
    // The same revision is the same object: after a conflict a large one need not be decoded again.
    if (kvs[0]?.modRevision === state.object?.revision) return undefined;
    return await this.#stateOf(state.key, kvs[0]);
  }

  replace(state: WriteState<T>, object: T, options?: CreateOptions): Promise<StoredObject<T> | Overtaken<T>> {
    const { key, object: current } = state;
    if (current === undefined) {
      const write = encodeCreated(this.#codec, key, object);
      return this.#put(key, write, noRevision, options, () => this.#overtaken(state, undefined));
    }
    const encoded = createStoredObject(this.#codec, key, object, current.revision);
    const write = encodeUpdated(this.#codec, object, encoded);
    const put = (): Promise<StoredObject<T> | Overtaken<T>> =>
      this.#put(key, write, current.revision, options, (newest) => this.#overtaken(state, newest));
    return encoded.body.equals(current.body) ? this.#unlessSame(state, current, write, put) : put();
  }

  remove(state: WriteState<T>): Promise<StoredObject<T> | Overtaken<T>> {
    const { key, object } = state;
    if (object === undefined) throw keyNotFound(key);
    return this.#writer.delete(
      this.#prefix + key,
      object.revision,
      (revision) => new RestampedObject(this.#codec, object, revision),
      (newest) => this.#overtaken(state, newest),
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

  #listRange({ key, prefix, after }: ListRequest): { start: string; end: string | undefined } {
    if (key !== undefined) {
      return { start: this.#prefix + key, end: undefined };
    }
    const start = this.#prefix + prefix;
    const end = prefixEnd(start);
    if (after === undefined) return { start, end };
    const next = `${this.#prefix}${after}\0`;
    return { start: compareKeys(next, start) > 0 ? next : start, end };
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

  /** Writes nothing when the stored bytes are those of the write. Only the bytes tell: they may be of an older version or key. */
  async #unlessSame(
    state: WriteState<T>,
    current: StoredObject<T>,
    { bytes }: EncodedWrite<T>,
    put: () => Promise<StoredObject<T> | Overtaken<T>>,
  ): Promise<StoredObject<T> | Overtaken<T>> {
    const newest = state instanceof ReadWriteState ? state : await this.begin(state.key);
    if (newest.object?.revision !== current.revision) return new Overtaken(newest);
    const { read } = newest;
    return read?.stale === false && Buffer.compare(read.bytes, bytes) === 0 ? current : await put();
  }

  async #stateOf(key: string, kv: KeyValue | undefined): Promise<ReadWriteState<T>> {
    return new ReadWriteState(key, kv && (await this.#reader.readState(kv)));
  }

  /** A transaction that requires the key to be missing does not read it. */
  async #overtaken({ key, object }: WriteState<T>, newest: KeyValue | undefined): Promise<Overtaken<T>> {
    return new Overtaken(object === undefined ? await this.begin(key) : await this.#stateOf(key, newest));
  }

  /** Repeats `read`, which returns the newest or the exact state, until the state is new enough. */
  #atLeast<R extends { readonly revision: Revision }>(at: ReadVersion, read: () => Promise<R>): Promise<R> {
    if (at.kind === "exact") return this.#whenReached(at.revision, read);
    if (at.kind !== "notOlderThan") return read();
    return this.#whenReached(at.revision, async () => {
      const result = await read();
      if (result.revision < at.revision) throw futureRevision(at.revision, result.revision);
      return result;
    });
  }

  async #whenReached<R>(revision: Revision, read: () => Promise<R>): Promise<R> {
    const giveUpAt = this.#clock.now() + this.#futureWaitMs;
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (isStorageError(error, "Compacted")) {
          const message = "The resourceVersion for the provided list is too old.";
          throw new StorageError("Compacted", message, { revision, cause: error });
        }
        if (!isStorageError(error, "FutureRevision")) throw error;
        if (this.#clock.now() >= giveUpAt) {
          throw futureRevision(revision, await this.#kv.currentRevision());
        }
        await sleep(this.#clock, 100);
      }
    }
  }
}

/** The unreadable objects of a list. */
class UnreadableOfList {
  readonly #found: UnreadableObject[] = [];

  /** The object, or undefined when it cannot be read. Throws once there are too many of those. */
  unless<T>(reader: ObjectReader<T>, kv: KeyValue): MaybePromise<StoredObject<T> | undefined> {
    const read = readOrNot(reader, kv);
    return read instanceof Promise ? read.then((each) => this.#kept(each)) : this.#kept(read);
  }

  check(): void {
    if (this.#found.length > 0) throw new UnreadableObjects(this.#found, false);
  }

  #kept<T>(read: StoredObject<T> | UnreadableObject): StoredObject<T> | undefined {
    if (!(read instanceof UnreadableObject)) return read;
    if (this.#found.length === unreadableMax) throw new UnreadableObjects(this.#found, true);
    this.#found.push(read);
    return undefined;
  }
}

function readOrNot<T>(
  reader: ObjectReader<T>,
  kv: KeyValue,
): MaybePromise<StoredObject<T> | UnreadableObject> {
  const caught = (error: unknown): UnreadableObject => {
    if (error instanceof UnreadableObject) return error;
    throw error;
  };
  try {
    const read = reader.read(kv);
    return read instanceof Promise ? read.catch(caught) : read;
  } catch (error) {
    return caught(error);
  }
}

export function keyNotFound(key: string, revision?: Revision): StorageError {
  return new StorageError("KeyNotFound", `key not found: ${key}`, { key, revision });
}

/** `revision` was requested and `current` is the newest. */
export function futureRevision(revision: Revision, current: Revision): StorageError {
  const message = `Too large resource version: ${revision}, current: ${current}`;
  return new StorageError("FutureRevision", message, { revision, newest: current });
}
