import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { isEmptyRange, isInRange } from "../key-order.js";
import {
  type Compare,
  type KeyRange,
  type KvEvent,
  type LeaseId,
  type Operation,
  type OperationResult,
  type RangeRequest,
  type RangeResult,
  type Revision,
  type Transaction,
  type TransactionResult,
  toRevision,
} from "../kv.js";
import { StorageError } from "../storage-error.js";
import type { TableName, TableWrite } from "./lmdb-tables.js";
import {
  encodeHead,
  encodeHistory,
  encodeLease,
  encodeLeaseAttachment,
  encodeLeaseKey,
  encodePastHead,
  encodePastKey,
  encodeRevisionKey,
  type Head,
  type LeaseRecord,
  type PendingHead,
  type Place,
  type StoreState,
  toKeyValue,
} from "./record-layout.js";
import { checkRevision, type SnapshotReader } from "./snapshot-reader.js";
import { checkTransaction } from "./transaction-limits.js";

const noPlace: Place = { modRevision: 0, index: 0 };
const noValue = Buffer.alloc(0);

/** Newest versions of keys that the tables do not have yet; undefined marks a deleted key. */
export interface RecentHeads {
  has(key: string): boolean;
  get(key: string): PendingHead | undefined;
}

export interface CommittedRevision {
  readonly revision: Revision;
  readonly events: readonly KvEvent[];
}

/**
 * Runs logical transactions one after the other on top of a snapshot and of recent commits, and collects their writes, so that one flush
 * carries them all while each has its own revision. Each call either succeeds completely or throws before it changes anything.
 */
export class WriteBatch {
  readonly writes: TableWrite[] = [];
  readonly revisions: CommittedRevision[] = [];
  readonly leases = new Map<LeaseId, LeaseRecord | undefined>();
  /** Undefined marks a key that this batch deleted. */
  readonly heads = new Map<string, PendingHead | undefined>();
  readonly #snapshot: SnapshotReader;
  readonly #recent: RecentHeads;
  readonly #knownLeases: ReadonlyMap<LeaseId, LeaseRecord>;
  readonly #refusePuts: StorageError | undefined;
  readonly #stateBefore: StoreState;
  #state: StoreState;
  #bytes = 0;
  #scattered = 0;
  #hasPuts = false;
  #isPurge = false;

  constructor(options: {
    readonly snapshot: SnapshotReader;
    /** Commits after the snapshot. There must be none if the batch reads ranges. */
    readonly recent: RecentHeads;
    readonly state: StoreState;
    readonly leases: ReadonlyMap<LeaseId, LeaseRecord>;
    /** The reason why puts are refused, if they are. */
    readonly refusePuts: StorageError | undefined;
  }) {
    this.#snapshot = options.snapshot;
    this.#recent = options.recent;
    this.#knownLeases = options.leases;
    this.#refusePuts = options.refusePuts;
    this.#stateBefore = options.state;
    this.#state = options.state;
  }

  get state(): StoreState {
    return this.#state;
  }

  /** Bytes of the values to write. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes that are not appended in order: all but those of history. */
  get scattered(): number {
    return this.#scattered;
  }

  get hasPuts(): boolean {
    return this.#hasPuts;
  }

  /** Whether it removes compacted history, which takes pages that `bytes` and `scattered` do not count. */
  get isPurge(): boolean {
    return this.#isPurge;
  }

  get isEmpty(): boolean {
    return this.writes.length === 0 && this.#state === this.#stateBefore;
  }

  transact(transaction: Transaction): TransactionResult {
    checkTransaction(transaction);
    const succeeded = transaction.compare.every((compare) => this.#holds(compare));
    const operations = succeeded ? transaction.success : transaction.failure;
    for (const operation of operations) this.#check(operation);

    const step = new RevisionInProgress(this.#state.revision + 1);
    const results = operations.map((operation): OperationResult => {
      switch (operation.kind) {
        case "put":
          this.#put(step, operation.key, operation.value, operation.lease ?? 0n);
          return { kind: "put" };
        case "delete":
          return { kind: "delete", deleted: this.#delete(step, operation.range) };
        case "range": {
          const revision = step.events.length > 0 ? step.revision : this.#state.revision;
          return { kind: "range", result: this.#range(operation.range, revision) };
        }
        default:
          return operation satisfies never;
      }
    });
    this.#finish(step);
    return { succeeded, revision: toRevision(this.#state.revision), results };
  }

  grantLease(ttlSeconds: number, now: number): LeaseId {
    const id = BigInt(this.#state.nextLease);
    this.#state = { ...this.#state, nextLease: this.#state.nextLease + 1 };
    this.#writeLease(id, { ttlSeconds, expiresAt: now + ttlSeconds * 1000 });
    return id;
  }

  keepLeaseAlive(id: LeaseId, now: number): number {
    const { ttlSeconds } = this.#lease(id);
    this.#writeLease(id, { ttlSeconds, expiresAt: now + ttlSeconds * 1000 });
    return ttlSeconds;
  }

  lease(id: LeaseId): LeaseRecord | undefined {
    return this.leases.has(id) ? this.leases.get(id) : this.#knownLeases.get(id);
  }

  /** `attached` may list too many keys: only those that still have the lease are deleted. */
  revokeLease(id: LeaseId, attached: Iterable<string>): void {
    this.#lease(id);
    const step = new RevisionInProgress(this.#state.revision + 1);
    const keys = new Set(attached);
    for (const [key, head] of this.heads) if (head?.lease === id) keys.add(key);
    for (const key of [...keys].sort(compareUtf8)) {
      const head = this.#head(key);
      if (head?.lease === id) this.#deleteKey(step, key, head);
    }
    this.#finish(step);
    this.leases.set(id, undefined);
    this.#write("leases", encodeLeaseKey(id), undefined);
  }

  compact(revision: number): void {
    const { compactedRevision } = this.#state;
    if (revision <= compactedRevision) {
      throw new StorageError("Compacted", `history below ${compactedRevision} is already compacted`, {
        revision: compactedRevision,
      });
    }
    checkRevision(revision, this.#state.revision, compactedRevision);
    this.#state = { ...this.#state, compactedRevision: revision };
  }

  /** Physical removal of compacted history: `writes` remove it up to revision `purgedRevision`, exclusive. */
  purge(writes: readonly TableWrite[], purgedRevision: number): void {
    for (const write of writes) this.writes.push(write);
    this.#isPurge = true;
    this.#state = { ...this.#state, purgedRevision };
  }

  #check(operation: Operation): void {
    if (operation.kind === "put") {
      if (this.#refusePuts !== undefined) throw this.#refusePuts;
      this.#hasPuts = true;
      if (operation.lease !== undefined && operation.lease !== 0n) this.#lease(operation.lease);
    } else if (operation.kind === "range" && operation.range.revision) {
      const { revision, compactedRevision } = this.#state;
      checkRevision(operation.range.revision, revision, compactedRevision);
    }
  }

  #lease(id: LeaseId): LeaseRecord {
    const lease = this.lease(id);
    if (lease === undefined) throw new StorageError("KeyNotFound", `requested lease not found: ${id}`);
    return lease;
  }

  #holds(compare: Compare): boolean {
    const head = this.#head(compare.key);
    return compare.target === "mod"
      ? (head?.modRevision ?? 0) === compare.revision
      : (head?.version ?? 0) === compare.version;
  }

  #head(key: string): Head | PendingHead | undefined {
    const own = this.heads.get(key);
    if (own !== undefined || this.heads.has(key)) return own;
    const recent = this.#recent.get(key);
    return recent !== undefined || this.#recent.has(key) ? recent : this.#snapshot.head(key);
  }

  #put(step: RevisionInProgress, key: string, value: Uint8Array, lease: LeaseId): void {
    const before = this.#head(key);
    const previous = before === undefined ? undefined : this.#snapshot.keyValue(key, before, false);
    const place = step.nextPlace();
    const head: Head = {
      ...place,
      createRevision: before?.createRevision ?? place.modRevision,
      version: (before?.version ?? 0) + 1,
      lease,
    };
    // The record is a copy, because the caller may reuse its buffer.
    const { bytes, valueStart } = encodeHistory({
      ...head,
      type: "put",
      key,
      value,
      previous: before ?? noPlace,
    });
    const written = bytes.subarray(valueStart);
    this.#write("history", encodeRevisionKey(place), bytes);
    this.#write("current", Buffer.from(key), encodeHead(head));
    if (before !== undefined) this.#supersede(key, before, place.modRevision);
    if (lease !== (before?.lease ?? 0n)) {
      if (before !== undefined && before.lease !== 0n) this.#detach(before.lease, key);
      if (lease !== 0n) this.#write("attachments", encodeLeaseAttachment(lease, key), noValue);
    }
    this.heads.set(key, { ...head, value: written });
    step.events.push({ type: "put", kv: toKeyValue(key, head, written), previous });
  }

  #delete(step: RevisionInProgress, range: KeyRange): number {
    const found = this.#headsIn(range);
    for (const [key, head] of found) this.#deleteKey(step, key, head);
    return found.length;
  }

  #deleteKey(step: RevisionInProgress, key: string, before: Head): void {
    const previous = this.#snapshot.keyValue(key, before, false);
    const place = step.nextPlace();
    const tombstone: Head = { ...place, createRevision: 0, version: 0, lease: 0n };
    const { bytes } = encodeHistory({ ...tombstone, type: "delete", key, value: noValue, previous: before });
    this.#write("history", encodeRevisionKey(place), bytes);
    this.#write("current", Buffer.from(key), undefined);
    this.#supersede(key, before, place.modRevision);
    if (before.lease !== 0n) this.#detach(before.lease, key);
    this.heads.set(key, undefined);
    step.events.push({ type: "delete", kv: toKeyValue(key, tombstone, noValue), previous });
  }

  #supersede(key: string, head: Head, endRevision: number): void {
    this.#write("past", encodePastKey(key, head.modRevision), encodePastHead({ ...head, endRevision }));
  }

  #detach(lease: LeaseId, key: string): void {
    this.#write("attachments", encodeLeaseAttachment(lease, key), undefined);
  }

  #writeLease(id: LeaseId, lease: LeaseRecord): void {
    this.leases.set(id, lease);
    this.#write("leases", encodeLeaseKey(id), encodeLease(lease));
  }

  #write(table: TableName, key: Buffer, value: Buffer | undefined): void {
    this.writes.push({ table, key, value });
    this.#bytes += value?.length ?? 0;
    if (table !== "history") this.#scattered += 1;
  }

  #finish(step: RevisionInProgress): void {
    if (step.events.length === 0) return;
    this.#state = { ...this.#state, revision: step.revision };
    this.revisions.push({ revision: toRevision(step.revision), events: step.events });
  }

  #range(request: RangeRequest, revision: number): RangeResult {
    // It is older than the batch, so all of it is on disk. Nobody can know of the revisions in between yet.
    if (request.revision && request.revision !== this.#state.revision) {
      return { ...finish(this.#snapshot.range(request)), revision: toRevision(revision) };
    }
    const found = this.#headsIn(request);
    const limit = request.countOnly === true ? 0 : request.limit || found.length;
    const kvs = found
      .slice(0, limit)
      .map(([key, head]) => this.#snapshot.keyValue(key, head, request.keysOnly === true));
    return {
      kvs,
      revision: toRevision(revision),
      count: found.length,
      more: request.countOnly !== true && found.length > kvs.length,
    };
  }

  #headsIn(range: KeyRange): (readonly [string, Head | PendingHead])[] {
    if (range.end === undefined) {
      const head = this.#head(range.start);
      return head === undefined ? [] : [[range.start, head]];
    }
    if (isEmptyRange(range)) return [];
    const found: (readonly [string, Head | PendingHead])[] = [];
    for (const entry of this.#snapshot.heads(range)) if (!this.heads.has(entry[0])) found.push(entry);
    for (const [key, head] of this.heads) {
      if (head !== undefined && isInRange(key, range)) found.push([key, head]);
    }
    return found.sort(([a], [b]) => compareUtf8(a, b));
  }
}

class RevisionInProgress {
  readonly revision: number;
  readonly events: KvEvent[] = [];

  constructor(revision: number) {
    this.revision = revision;
  }

  nextPlace(): Place {
    return { modRevision: this.revision, index: this.events.length };
  }
}

function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
