import type { MaybePromise } from "../apimachinery/objects/maybe-promise.js";
import type { Revision } from "./kv.js";

/**
 * The objects of one resource at revisions. Two implementations with one contract
 * (`testing/object-store-contract.ts`): `store/` over a `KeyValueStore`, and `watchcache/` which wraps it.
 * Keys are relative to the resource's prefix: `namespace/name`, or `name` for cluster-scoped resources.
 */
export interface ObjectStore<T> {
  /**
   * A promise unless the object is at hand. Rejects with `KeyNotFound`; `FutureRevision` when the revision does not come in time. Does not
   * throw.
   */
  get(key: string, at: ReadVersion): MaybePromise<StoredObject<T>>;
  list(request: ListRequest): Promise<ListResult<T>>;
  /**
   * Resolves once the watch is registered: every later change reaches `sink`, whose first call comes after that. Rejects when the watch
   * cannot start, with `Compacted` when its history is lost; nothing reaches `sink` then. Later errors go to `WatchSink.end`.
   */
  watch(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle>;
  /** Rejects with `KeyExists`. The result carries its resourceVersion. */
  create(key: string, object: T, options?: CreateOptions): Promise<StoredObject<T>>;
  /** The state that a write starts from: the newest, or without `newest` a cache's copy, which may be outdated. */
  begin(key: string, newest?: boolean): MaybePromise<WriteState<T>>;
  /**
   * The newest state, if `state` was an outdated copy of a cache; undefined if it is the newest. For a write that is impossible from
   * `state`.
   */
  newerThan(state: WriteState<T>): Promise<WriteState<T> | undefined>;
  /**
   * Replaces the state's object, unless another write came first. An unchanged object (same bytes) writes nothing and keeps its revision.
   */
  replace(
    state: WriteState<T>,
    object: T,
    options?: CreateOptions,
  ): Promise<StoredObject<T> | WriteConflict<T>>;
  /** Removes the state's object, unless another write came first. The result is its last state at the revision of the deletion. */
  remove(state: WriteState<T>): Promise<StoredObject<T> | WriteConflict<T>>;
  /** Removes an object that cannot be read; resolves with false, without removing it, if it can be. Rejects with `KeyNotFound`. */
  removeUnreadable(key: string): Promise<boolean>;
  count(): Promise<number>;
  /** The number of objects, if it is known without asking the store, as for a cached resource. */
  readonly knownCount?: number | undefined;
  /** Bytes of the JSON of all objects, if known without asking the store. */
  readonly knownBytes?: number | undefined;
  /** Bytes of an object's JSON, if known without asking the store. */
  knownSize?(key: string): number | undefined;
  /** The newest revision that a read of this resource would reflect. */
  currentRevision(): Promise<Revision>;
}

/** Which state a read may answer with. */
export type ReadVersion =
  | { readonly kind: "mostRecent" }
  | { readonly kind: "any" }
  | { readonly kind: "notOlderThan"; readonly revision: Revision }
  | { readonly kind: "exact"; readonly revision: Revision };

export interface ObjectAttributes {
  readonly labels: Readonly<Record<string, string>>;
  /** Selectable fields: metadata.name, metadata.namespace and those of the kind. */
  readonly fields: Readonly<Record<string, string>>;
}

/** An object as the store and the cache hold it. Shared and immutable. */
export interface StoredObject<T> extends ObjectAttributes {
  readonly key: string;
  /** metadata.resourceVersion as a number. */
  readonly revision: Revision;
  /**
   * JSON of the hub version without the opening brace, kind and apiVersion: `"metadata":{…},…}`. Behind
   * `{"kind":"Pod","apiVersion":"v1",` it is a whole object, behind `{` an item of a typed list.
   */
  readonly body: Buffer;
  /** A fresh object that the caller owns, resourceVersion set. */
  decode(): T;
}

/** How the objects of one resource are encoded. Supplied by the registry. */
export interface ObjectCodec<T> {
  /** Bytes in the storage version; must not contain resourceVersion. */
  toStorage(object: T): Uint8Array;
  /**
   * Reads any version and media type that was ever stored, for `attributes` and `toBody` only: parts of the result may be usable for
   * printing only.
   */
  fromStorage(bytes: Uint8Array): T;
  toBody(object: T): Buffer;
  /**
   * Set if `toStorage` writes the body without its resourceVersion between these two texts: the stored bytes are then made from the body.
   */
  readonly storedWrapper?: { readonly before: string; readonly after: string } | undefined;
  fromBody(body: Buffer): T;
  /** Slow steps that must precede reading an object: run each before taking the next. Undefined if there are none. */
  preparation?(): Iterable<() => void> | undefined;
  attributes(object: T): ObjectAttributes;
  getResourceVersion(object: T): string;
  setResourceVersion(object: T, resourceVersion: string): void;
}

export interface Selection {
  /** Only keys that start with it: `namespace/`, or "" for all. */
  readonly prefix: string;
  /** Only this key (a `metadata.name=` selector): served without a scan. */
  readonly key?: string | undefined;
  /**
   * An index hint: `matches` only selects objects whose field has this value. A change then costs nothing for watchers of other values,
   * of which there may be thousands (each node's agent watches the pods of its node).
   */
  readonly fieldEquals?: { readonly field: string; readonly value: string } | undefined;
  /** Undefined selects everything. Called with attributes only, never with a decoded object. */
  readonly matches?: ((attributes: ObjectAttributes) => boolean) | undefined;
}

export interface ListRequest extends Selection {
  /** Stops a search with a selector. */
  readonly signal?: AbortSignal | undefined;
  readonly at: ReadVersion;
  /** At most this many items that match. 0 is all. */
  readonly limit: number;
  /** Only keys after this one (continue). */
  readonly after?: string | undefined;
}

export interface ListResult<T> {
  /** In key order. */
  readonly items: readonly StoredObject<T>[];
  readonly revision: Revision;
  /** Set when the limit cut the list: key of the last item seen, to continue after. */
  readonly continueAfter: string | undefined;
  /** Objects after the cut; undefined when a selector makes it unknown. */
  readonly remaining: number | undefined;
}

export interface WatchRequest extends Selection {
  /**
   * `exact`: changes after the revision, or after the newest one for revision 0. `state`: first the state (synthetic ADDED) at a version as `at` allows,
   * then all later changes.
   */
  readonly start:
    | { readonly kind: "exact"; readonly revision: Revision }
    | { readonly kind: "state"; readonly at: ReadVersion };
  /** Send BOOKMARK events: about every minute and shortly before `deadline`. */
  readonly bookmarks: boolean;
  /** With `state`: mark the end of the synthetic events by a BOOKMARK annotated as such (WatchList). */
  readonly bookmarkAfterState?: boolean | undefined;
  /** When the watch will be ended by its caller, in milliseconds of the store's clock. */
  readonly deadline?: number | undefined;
  /**
   * Events are delivered as soon as the cache applies the change. The writer is answered after that if this process made the commit, or
   * if the cache awaits its own writes. For the server's own informers that must not lag, above all those of access rights: every write
   * of the resource waits for the sink. Without a watch cache it has no effect.
   */
  readonly immediate?: boolean | undefined;
  /**
   * For an empty collection, no cache is filled for this watch: it begins with the first object, misses nothing, and gets no bookmark
   * after an empty state. Without a watch cache it has no effect.
   */
  readonly lazy?: boolean | undefined;
}

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED";

export type WatchEvent<T> =
  | {
      readonly type: WatchEventType;
      readonly object: StoredObject<T>;
      /** Of MODIFIED: the object before the change. */
      readonly previous?: StoredObject<T> | undefined;
      readonly revision: Revision;
      /** When the watch cache received it, by `performance.now`; undefined without a watch cache. */
      readonly receivedAt?: number | undefined;
    }
  | { readonly type: "BOOKMARK"; readonly revision: Revision; readonly initialEventsEnd: boolean };

/**
 * Receives the events of a watch. Called synchronously by the fan-out: it must not block and must not throw; it limits its own buffer and
 * calls `WatchHandle.stop` when its client cannot keep up. All watchers of the resource share event objects (equal events are the same
 * object), so encodings can be memoised by identity.
 */
export interface WatchSink<T> {
  events(batch: readonly WatchEvent<T>[]): void;
  /**
   * The last call; not made after `stop`. `Compacted` when history was lost, `Unavailable` when the watcher fell too far behind, undefined
   * at shutdown.
   */
  end(error: Error | undefined): void;
  /**
   * Asked before each delivery. While its promise is pending the watch pauses, at no cost per event, and continues when it resolves (it
   * must not reject); a watch that falls too many events behind is ended. Absent: always ready. It allows a watch to start with a state
   * that is too large to buffer.
   */
  ready?(): Promise<void> | undefined;
}

export interface WatchHandle {
  /** No call reaches the sink afterwards. May be called again. */
  stop(): void;
}

export interface CreateOptions {
  readonly ttlSeconds?: number | undefined;
}

/** The state of a key at which a write starts. */
export interface WriteState<T> {
  readonly key: string;
  /** Undefined when there is none. */
  readonly object: StoredObject<T> | undefined;
}

/** Another write was committed first: the next attempt starts from its result. */
export class WriteConflict<T> {
  readonly newest: WriteState<T>;

  constructor(newest: WriteState<T>) {
    this.newest = newest;
  }
}
