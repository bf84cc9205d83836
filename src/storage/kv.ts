/**
 * The storage seam: what etcd v3 promises, and nothing of pods or HTTP. Every engine passes
 * `storage/testing/kv-contract.ts` unchanged.
 */

declare const revisionBrand: unique symbol;

/**
 * A point in the history of the whole store; grows by one with each transaction that writes.
 * A number, not a bigint: 2^53 writes at 100,000/s last 2,850 years, and revisions are compared on every event.
 */
export type Revision = number & { readonly [revisionBrand]: true };

/** The only way in. Throws `RangeError` for anything but a non-negative safe integer. */
export function toRevision(value: number): Revision {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a revision: ${value}`);
  return value as Revision; // checked above
}

export const noRevision = toRevision(0);

/** Identifies a lease; opaque outside the engine. 0n is no lease. */
export type LeaseId = bigint;

/** A key with its value at one revision. Never write to the buffers: they may be shared. */
export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the last change of this key. */
  readonly modRevision: Revision;
  /** Revision of the key's creation. */
  readonly createRevision: Revision;
  /** Changes since creation, 1 for a new key. */
  readonly version: number;
  readonly lease: LeaseId;
}

/** Keys in [start, end). An undefined `end` means just `start`; an `end` at or before `start` means no key. */
export interface KeyRange {
  readonly start: string;
  readonly end?: string | undefined;
}

export interface RangeRequest extends KeyRange {
  /** Read at this revision; unset is the newest (linearizable). */
  readonly revision?: Revision | undefined;
  /** At most this many keys, 0 or unset is all. */
  readonly limit?: number | undefined;
  readonly keysOnly?: boolean | undefined;
  readonly countOnly?: boolean | undefined;
  /** `count` is ignored and may be any number: counting a large range can cost more than reading a page of it. */
  readonly withoutCount?: boolean | undefined;
}

export interface RangeResult {
  /** In key order (bytewise). */
  readonly kvs: readonly KeyValue[];
  /** The store's revision when it answered: not the revision of any key. */
  readonly revision: Revision;
  /** Number of keys in the range, whatever the limit, unless the request goes without it. */
  readonly count: number;
  /** More keys follow the last one returned. */
  readonly more: boolean;
}

export type Compare =
  | { readonly key: string; readonly target: "mod"; readonly revision: Revision }
  | { readonly key: string; readonly target: "version"; readonly version: number };

export type Operation =
  | {
      readonly kind: "put";
      readonly key: string;
      readonly value: Uint8Array;
      readonly lease?: LeaseId | undefined;
    }
  | { readonly kind: "delete"; readonly range: KeyRange }
  | { readonly kind: "range"; readonly range: RangeRequest };

export interface Transaction {
  /** All must hold (equality). A key that does not exist has mod revision 0 and version 0. */
  readonly compare: readonly Compare[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export type OperationResult =
  | { readonly kind: "put" }
  | { readonly kind: "delete"; readonly deleted: number }
  | { readonly kind: "range"; readonly result: RangeResult };

export interface TransactionResult {
  readonly succeeded: boolean;
  /** The store's revision after the transaction; the mod revision of every key it wrote. */
  readonly revision: Revision;
  readonly results: readonly OperationResult[];
}

export interface KvEvent {
  readonly type: "put" | "delete";
  /** For a delete: the key, an empty value, and the revision of the deletion as `modRevision`. */
  readonly kv: KeyValue;
  /** State before the event; undefined for a creation (or when compaction took it). */
  readonly previous: KeyValue | undefined;
}

/** One delivery of a watch. All events of one revision come in one batch. */
export type WatchBatch =
  | { readonly kind: "events"; readonly events: readonly KvEvent[]; readonly revision: Revision }
  /** Everything up to and including `revision` has been delivered. */
  | { readonly kind: "progress"; readonly revision: Revision };

export interface WatchRequest extends KeyRange {
  /** First revision to deliver, inclusive. Unset: only changes after the watch was made. */
  readonly startRevision?: Revision | undefined;
}

export interface StoreStatus {
  readonly revision: Revision;
  /** Bytes the engine occupies on disk. */
  readonly dbBytes: number;
  readonly compactedRevision: Revision;
}

export interface KeyValueStore {
  /** Throws `Compacted` below the compacted revision, `FutureRevision` above the newest. */
  range(request: RangeRequest): Promise<RangeResult>;
  /**
   * Atomic, durable once it resolves. A key may be written once per transaction (`RangeError`). Throws `KeyNotFound` for a
   * lease that does not exist, `TooLarge` above 1.5 MiB, `NoSpace`; after `Unavailable` it may have been applied or not.
   */
  transact(transaction: Transaction): Promise<TransactionResult>;
  /**
   * Registers at once: a watch without `startRevision` delivers every change acknowledged after the call.
   *
   * Delivers every change in the range with revision ≥ `startRevision`, in revision order, until `signal`
   * aborts; never skips or repeats. Throws `Compacted` when the start lies in compacted history; a consumer
   * that falls too far behind the store is ended with `Unavailable` and resumes from the last revision it saw.
   */
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchBatch>;
  /** Requests a `progress` batch on every open watch, up to a revision that `currentRevision` returned, or later. */
  requestProgress(): Promise<void>;
  /** A cheap linearizable read of the store's newest revision. */
  currentRevision(): Promise<Revision>;
  /**
   * Forgets history below `revision` (the state at `revision` stays readable). Throws `Compacted` when that was done already,
   * `FutureRevision` above the newest.
   */
  compact(revision: Revision): Promise<void>;
  grantLease(ttlSeconds: number): Promise<LeaseId>;
  /** Renews the lease and returns its TTL in seconds. Throws `KeyNotFound`. */
  keepLeaseAlive(lease: LeaseId): Promise<number>;
  /** Deletes the lease and its keys, at one revision. Throws `KeyNotFound`. */
  revokeLease(lease: LeaseId): Promise<void>;
  status(): Promise<StoreStatus>;
  close(): Promise<void>;
}

/** An engine whose commits are visible in the same process before they are acknowledged to the writer. */
export interface LocalCommits {
  /**
   * Calls `listener` synchronously for every committed (durable) transaction, in revision order, before the
   * promise of the transaction resolves. A cache fed this way is never behind an acknowledged write.
   */
  onCommit(listener: (events: readonly KvEvent[], revision: Revision) => void): () => void;
  /** The revision up to which history has been compacted. */
  compactedRevision(): Revision;
}

/** The encoded object of a write that another thread makes, so that this thread need not encode it again. */
export interface AnnouncedWrite {
  /** Absolute key. */
  readonly key: string;
  /** Its JSON, with resourceVersion 1. */
  readonly body: Uint8Array;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

/** A store in another thread, whose caches include this thread's writes. */
export interface RemoteCaches {
  /** Sends the object along with the next transaction that puts its key. */
  announce(write: AnnouncedWrite): void;
}

export function hasRemoteCaches(store: KeyValueStore): store is KeyValueStore & RemoteCaches {
  return "announce" in store;
}

export function hasLocalCommits(store: KeyValueStore): store is KeyValueStore & LocalCommits {
  return "onCommit" in store;
}

/** The end of the range that holds every key starting with `prefix`. */
export function prefixEnd(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1);
  return prefix.slice(0, -1) + String.fromCharCode(last + 1);
}
