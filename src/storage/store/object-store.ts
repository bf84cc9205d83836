import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { Turns } from "../../apimachinery/turns/turns.js";
import { type Clock, systemClock } from "../clock.js";
import { compareKeys } from "../key-order.js";
import { type KeyValueStore, noRevision, prefixEnd, type Revision, toRevision } from "../kv.js";
import type {
  CreateOptions,
  DeleteCheck,
  ListRequest,
  ListResult,
  ObjectCodec,
  ObjectStore,
  ReadVersion,
  StoredObject,
  UpdateFunction,
  UpdateOptions,
  WatchHandle,
  WatchRequest,
  WatchSink,
} from "../object-store.js";
import { sleep } from "../sleep.js";
import { isStorageError, StorageError } from "../storage-error.js";
import { createStoredObject } from "../stored-object.js";
import type { ValueTransformer } from "../transform/value-transformer.js";
import { type EncodedWrite, encodeCreated, encodeUpdated } from "./encoded-write.js";
import { HeldHistory } from "./held-history.js";
import { LeaseReuse } from "./lease-reuse.js";
import type { ListObserver } from "./list-observer.js";
import { ObjectReader, type ReadState } from "./object-reader.js";
import { ObjectWriter } from "./object-writer.js";
import type { WriteRegister } from "./own-writes.js";
import { RestampedObject } from "./restamped-object.js";
import { selects } from "./selection.js";
import { StoreWatch, tooOldForWatch } from "./store-watch.js";

export interface ObjectStoreOptions<T> {
  readonly kv: KeyValueStore;
  /** Absolute, with a slash at both ends: `/registry/pods/`. */
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
  /** Where writes register themselves for a cache of the same resource. */
  readonly ownWrites?: WriteRegister<T> | undefined;
  readonly listObserver?: ListObserver | undefined;
}

/** What a cache over the store may add to a write: its own, possibly outdated, copy of the object, to save a read. */
export interface CachedCopy<T> {
  readonly cached?: StoredObject<T> | undefined;
}

/** An `ObjectStore` that a cache can build on. */
export interface BaseObjectStore<T> extends ObjectStore<T> {
  update(
    key: string,
    change: UpdateFunction<T>,
    options?: UpdateOptions & CachedCopy<T>,
  ): Promise<StoredObject<T>>;
  delete(key: string, check: DeleteCheck<T>, options?: CachedCopy<T>): Promise<StoredObject<T>>;
  /** Whether the state at `revision` has not been compacted. */
  holds(revision: Revision): MaybePromise<boolean>;
  /**
   * Like `watch` from `after`, but without bookmarks; `passed` is called with the revision up to which the sink has everything.
   */
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

interface CurrentState<T> {
  readonly object: StoredObject<T> | undefined;
  /** The stored bytes before encryption; undefined when the object comes from a cache. */
  readonly read: ReadState<T> | undefined;
  readonly fresh: boolean;
}

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
    this.#history = new HeldHistory(kv, prefix, this.#clock);
    const leases = options.leases ?? new LeaseReuse({ kv, clock: this.#clock, reuseDurationSeconds: 60 });
    this.#reader = new ObjectReader(prefix, codec, transformer);
    this.#writer = new ObjectWriter({ kv, codec, transformer, leases, ownWrites });
  }

  async get(key: string, at: ReadVersion): Promise<StoredObject<T>> {
    const start = this.#prefix + key;
    const { kvs, revision } = await this.#atLeast(at, () => this.#kv.range({ start }));
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
      const page = await (at.kind === "exact"
        ? this.#whenReached(at.revision, () => this.#kv.range(request_))
        : revision === undefined
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
        const read = this.#reader.read(kv);
        const object = read instanceof Promise ? await read : read;
        if (selects(request, object)) items.push(object);
        examined++;
        if (turns.isOver()) await turns.next(request.signal);
      }
      const last = page.kvs[examined - 1]?.key;
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

  async create(key: string, object: T, options?: CreateOptions): Promise<StoredObject<T>> {
    const write = encodeCreated(this.#codec, key, object);
    const outcome = await this.#writer.put({
      key: this.#prefix + key,
      ...write,
      ttlSeconds: options?.ttlSeconds,
      expected: noRevision,
    });
    if (!outcome.succeeded) throw new StorageError("KeyExists", `key exists: ${key}`, { key });
    return outcome.result;
  }

  async update(
    key: string,
    change: UpdateFunction<T>,
    options?: UpdateOptions & CachedCopy<T>,
  ): Promise<StoredObject<T>> {
    let state = options?.cached === undefined ? await this.#current(key) : fromCache(options.cached);
    for (;;) {
      const { object: current, read } = state;
      if (current === undefined && options?.createIfMissing !== true) throw keyNotFound(key);
      let result: Awaited<ReturnType<UpdateFunction<T>>>;
      try {
        const changed = change(current);
        result = changed instanceof Promise ? await changed : changed;
      } catch (error) {
        // The refused object may have been an outdated copy.
        const newest = await this.#newerThan(state, key);
        if (newest === undefined) throw error;
        state = newest;
        continue;
      }
      const { object, ttlSeconds } = result;
      let write: EncodedWrite<T>;
      if (current === undefined) {
        write = encodeCreated(this.#codec, key, object);
      } else {
        const encoded = createStoredObject(this.#codec, key, object, current.revision);
        write = encodeUpdated(this.#codec, object, encoded);
        if (encoded.body.equals(current.body)) {
          let known = read;
          if (known === undefined) {
            // Only the stored bytes can tell that there is nothing to write: they may have an older version or key.
            const newest = await this.#current(key);
            if (newest.object?.revision !== current.revision) {
              state = newest;
              continue;
            }
            known = newest.read;
          }
          if (known?.stale === false && Buffer.compare(known.bytes, write.bytes) === 0) return current;
        }
      }
      const outcome = await this.#writer.put({
        key: this.#prefix + key,
        ...write,
        ttlSeconds,
        expected: current?.revision ?? noRevision,
      });
      if (outcome.succeeded) return outcome.result;
      state = await this.#afterConflict(key, current, outcome.newest);
    }
  }

  async delete(key: string, check: DeleteCheck<T>, options?: CachedCopy<T>): Promise<StoredObject<T>> {
    let state = options?.cached === undefined ? await this.#current(key) : fromCache(options.cached);
    for (;;) {
      const { object } = state;
      if (object === undefined) throw keyNotFound(key);
      try {
        await check(object);
      } catch (error) {
        const newest = await this.#newerThan(state, key);
        if (newest === undefined) throw error;
        state = newest;
        continue;
      }
      const outcome = await this.#writer.delete(this.#prefix + key, object.revision);
      if (outcome.succeeded) return new RestampedObject(this.#codec, object, outcome.result);
      state = await this.#afterConflict(key, object, outcome.newest);
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

  async #current(key: string): Promise<CurrentState<T>> {
    const { kvs } = await this.#kv.range({ start: this.#prefix + key });
    const kv = kvs[0];
    if (kv === undefined) return { object: undefined, read: undefined, fresh: true };
    const reading = this.#reader.readState(kv);
    const read = reading instanceof Promise ? await reading : reading;
    return { object: read.object, read, fresh: true };
  }

  /** Rereads when `state` was a copy that turns out to be outdated. */
  async #newerThan(state: CurrentState<T>, key: string): Promise<CurrentState<T> | undefined> {
    if (state.fresh) return undefined;
    const newest = await this.#current(key);
    return newest.object?.revision === state.object?.revision ? undefined : newest;
  }

  async #afterConflict(
    key: string,
    lost: StoredObject<T> | undefined,
    newest: Parameters<ObjectReader<T>["readState"]>[0] | undefined,
  ): Promise<CurrentState<T>> {
    if (lost === undefined) return this.#current(key);
    if (newest === undefined) return { object: undefined, read: undefined, fresh: true };
    const read = await this.#reader.readState(newest);
    return { object: read.object, read, fresh: true };
  }

  /** Repeats `read`, which returns the newest state, until that is new enough. */
  #atLeast<R extends { readonly revision: Revision }>(
    at: ReadVersion | { readonly kind: "exact"; readonly revision: Revision },
    read: () => Promise<R>,
  ): Promise<R> {
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

function fromCache<T>(object: StoredObject<T>): CurrentState<T> {
  return { object, read: undefined, fresh: false };
}

export function keyNotFound(key: string, revision?: Revision): StorageError {
  return new StorageError("KeyNotFound", `key not found: ${key}`, { key, revision });
}

/** `revision` was requested and `current` is the newest. */
export function futureRevision(revision: Revision, current: Revision): StorageError {
  const message = `Too large resource version: ${revision}, current: ${current}`;
  return new StorageError("FutureRevision", message, { revision, newest: current });
}
