import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { isInRange } from "../key-order.js";
import {
  type Compare,
  type KeyRange,
  type KeyValue,
  type KeyValueStore,
  type KvEvent,
  type LeaseId,
  type LocalCommits,
  noRevision,
  type Operation,
  type OperationResult,
  type RangeRequest,
  type RangeResult,
  type Revision,
  type StoreStatus,
  type Transaction,
  type TransactionResult,
  toRevision,
  type WatchBatch,
  type WatchRequest,
} from "../kv.js";
import { StorageError } from "../storage-error.js";

export interface MemoryStoreOptions {
  /** Milliseconds; leases expire by it, lazily, at the next operation. */
  readonly now?: (() => number) | undefined;
  /** Runs before every operation: to inject failures (throw) and delays (return a promise). */
  readonly intercept?:
    | ((operation: "range" | "transact" | "currentRevision" | "watch") => Promise<void> | void)
    | undefined;
}

interface Lease {
  readonly ttlSeconds: number;
  expiresAt: number;
  readonly keys: Set<string>;
}

/** A key's history, oldest first. A tombstone has version 0. */
type History = KeyValue[];

interface OpenWatch {
  readonly range: KeyRange;
  readonly queue: WatchBatch[];
  wake: () => void;
}

const noLease: LeaseId = 0n;
const requestBytesMax = 1.5 * 1024 * 1024;
const emptyValue = Buffer.alloc(0);

/** A `KeyValueStore` in plain maps, for tests of the layers above. */
export class MemoryStore implements KeyValueStore, LocalCommits {
  readonly #histories = new Map<string, History>();
  readonly #log: { readonly revision: Revision; readonly events: readonly KvEvent[] }[] = [];
  readonly #watches = new Set<OpenWatch>();
  readonly #listeners = new Set<(events: readonly KvEvent[], revision: Revision) => void>();
  readonly #leases = new Map<LeaseId, Lease>();
  readonly #now: () => number;
  readonly #intercept: NonNullable<MemoryStoreOptions["intercept"]>;
  #sortedKeys: string[] | undefined;
  #revision = toRevision(1);
  #compacted = noRevision;
  #nextLease = 1n;

  constructor(options: MemoryStoreOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#intercept = options.intercept ?? (() => undefined);
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    await this.#intercept("range");
    this.#expireLeases();
    return this.#range(request);
  }

  async transact(transaction: Transaction): Promise<TransactionResult> {
    await this.#intercept("transact");
    this.#expireLeases();
    const succeeded = transaction.compare.every((compare) => this.#holds(compare));
    const operations = succeeded ? transaction.success : transaction.failure;
    this.#refuseInvalid(operations);
    const next = toRevision(this.#revision + 1);
    const events: KvEvent[] = [];
    const results = operations.map((operation): OperationResult => {
      if (operation.kind === "range") {
        return {
          kind: "range",
          result: this.#range(operation.range, events.length > 0 ? next : this.#revision),
        };
      }
      if (operation.kind === "put") {
        const value = Buffer.from(operation.value); // a copy: the caller may reuse its own
        events.push(this.#put(operation.key, value, operation.lease ?? noLease, next));
        return { kind: "put" };
      }
      const deleted = this.#keysIn(operation.range).filter((key) => this.#newest(key) !== undefined);
      for (const key of deleted) events.push(this.#delete(key, next));
      return { kind: "delete", deleted: deleted.length };
    });
    if (events.length > 0) this.#commit(events, next);
    return { succeeded, revision: this.#revision, results };
  }

  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchBatch> {
    const watch: OpenWatch = { range: request, queue: [], wake: () => undefined };
    const start = request.startRevision;
    for (const { revision, events } of this.#log) {
      if (start !== undefined && revision >= start) offer(watch, events, revision);
    }
    const isCompacted = start !== undefined && start <= this.#compacted;
    if (!signal.aborted && !isCompacted) this.#watches.add(watch);
    signal.addEventListener("abort", () => {
      this.#watches.delete(watch);
      watch.wake();
    });
    return this.#deliver(watch, start ?? toRevision(this.#revision + 1), isCompacted, signal);
  }

  async *#deliver(
    watch: OpenWatch,
    start: Revision,
    isCompacted: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<WatchBatch, void, void> {
    await this.#intercept("watch");
    if (isCompacted) throw compacted(start);
    try {
      while (!signal.aborted) {
        const batch = watch.queue.shift();
        if (batch === undefined) {
          await new Promise<void>((resolve) => {
            watch.wake = resolve;
          });
        } else if (batch.kind === "progress" || batch.revision >= start) {
          yield batch;
        }
      }
    } finally {
      this.#watches.delete(watch);
    }
  }

  async requestProgress(): Promise<void> {
    for (const watch of this.#watches) {
      watch.queue.push({ kind: "progress", revision: this.#revision });
      watch.wake();
    }
  }

  async currentRevision(): Promise<Revision> {
    await this.#intercept("currentRevision");
    return this.#revision;
  }

  async compact(revision: Revision): Promise<void> {
    if (revision > this.#revision) throw new StorageError("FutureRevision", "future revision", { revision });
    if (revision <= this.#compacted) throw compacted(revision);
    this.#compacted = revision;
    while (this.#log[0] !== undefined && this.#log[0].revision <= revision) this.#log.shift();
    for (const [key, history] of this.#histories) {
      const kept = history.filter(
        (_, index) => (history[index + 1]?.modRevision ?? Number.POSITIVE_INFINITY) > revision,
      );
      const first = kept[0];
      if (first !== undefined && first.version === 0 && first.modRevision <= revision) kept.shift();
      if (kept.length === 0) {
        this.#histories.delete(key);
        this.#sortedKeys = undefined;
      } else this.#histories.set(key, kept);
    }
  }

  async grantLease(ttlSeconds: number): Promise<LeaseId> {
    const id = this.#nextLease++;
    this.#leases.set(id, { ttlSeconds, expiresAt: this.#now() + ttlSeconds * 1000, keys: new Set() });
    return id;
  }

  async keepLeaseAlive(id: LeaseId): Promise<number> {
    this.#expireLeases();
    const lease = this.#leases.get(id);
    if (lease === undefined) throw leaseNotFound();
    lease.expiresAt = this.#now() + lease.ttlSeconds * 1000;
    return lease.ttlSeconds;
  }

  async revokeLease(id: LeaseId): Promise<void> {
    this.#expireLeases();
    if (!this.#leases.has(id)) throw leaseNotFound();
    this.#revoke(id);
  }

  async status(): Promise<StoreStatus> {
    this.#expireLeases();
    return { revision: this.#revision, dbBytes: this.#log.length, compactedRevision: this.#compacted };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  compactedRevision(): Revision {
    return this.#compacted;
  }

  onCommit(listener: (events: readonly KvEvent[], revision: Revision) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #commit(events: readonly KvEvent[], revision: Revision): void {
    this.#revision = revision;
    this.#log.push({ revision, events });
    for (const listener of this.#listeners) listener(events, revision);
    for (const watch of this.#watches) offer(watch, events, revision);
  }

  #put(key: string, value: Uint8Array, lease: LeaseId, revision: Revision): KvEvent {
    const previous = this.#newest(key);
    if (previous !== undefined) this.#leases.get(previous.lease)?.keys.delete(key);
    this.#leases.get(lease)?.keys.add(key);
    const kv: KeyValue = {
      key,
      value,
      modRevision: revision,
      createRevision: previous?.createRevision ?? revision,
      version: (previous?.version ?? 0) + 1,
      lease,
    };
    this.#append(kv);
    return { type: "put", kv, previous };
  }

  #delete(key: string, revision: Revision): KvEvent {
    const previous = this.#newest(key);
    if (previous !== undefined) this.#leases.get(previous.lease)?.keys.delete(key);
    const kv: KeyValue = {
      key,
      value: emptyValue,
      modRevision: revision,
      createRevision: noRevision,
      version: 0,
      lease: noLease,
    };
    this.#append(kv);
    return { type: "delete", kv, previous };
  }

  #append(kv: KeyValue): void {
    const history = this.#histories.get(kv.key);
    if (history !== undefined) history.push(kv);
    else {
      this.#histories.set(kv.key, [kv]);
      this.#sortedKeys = undefined;
    }
  }

  #newest(key: string): KeyValue | undefined {
    const kv = this.#histories.get(key)?.at(-1);
    return kv === undefined || kv.version === 0 ? undefined : kv;
  }

  #at(key: string, revision: Revision): KeyValue | undefined {
    const kv = this.#histories.get(key)?.findLast((candidate) => candidate.modRevision <= revision);
    return kv === undefined || kv.version === 0 ? undefined : kv;
  }

  #keysIn({ start, end }: KeyRange): string[] {
    if (end === undefined) return this.#histories.has(start) ? [start] : [];
    this.#sortedKeys ??= [...this.#histories.keys()].sort(compareUtf8);
    return this.#sortedKeys.filter((key) => isInRange(key, { start, end }));
  }

  #refuseInvalid(operations: readonly Operation[]): void {
    const written: KeyRange[] = [];
    let bytes = 0;
    for (const operation of operations) {
      if (operation.kind === "range") continue;
      const range = operation.kind === "put" ? { start: operation.key } : operation.range;
      for (const other of written) {
        const puts =
          operation.kind === "put" ? isInRange(operation.key, other) : isInRange(other.start, range);
        if (puts) throw new Error("a key is written twice in a transaction");
      }
      if (operation.kind === "delete") continue;
      written.push(range);
      bytes += operation.value.length;
      const lease = operation.lease ?? noLease;
      if (lease !== noLease && !this.#leases.has(lease)) throw leaseNotFound();
    }
    if (bytes > requestBytesMax) throw new StorageError("TooLarge", "request is too large");
  }

  #range(request: RangeRequest, newest: Revision = this.#revision): RangeResult {
    const revision = request.revision || newest; // 0 is the newest, too
    if (revision > newest) {
      throw new StorageError("FutureRevision", "required revision is a future revision", { revision });
    }
    if (revision < this.#compacted) throw compacted(revision);
    const all = this.#keysIn(request)
      .map((key) => this.#at(key, revision))
      .filter((kv) => kv !== undefined);
    const limit = request.limit ?? 0;
    const taken = limit > 0 ? all.slice(0, limit) : all;
    const kvs = request.keysOnly === true ? taken.map((kv) => ({ ...kv, value: emptyValue })) : taken;
    return {
      kvs: request.countOnly === true ? [] : kvs,
      revision: newest,
      count: all.length,
      more: taken.length < all.length,
    };
  }

  #holds(compare: Compare): boolean {
    const kv = this.#newest(compare.key);
    return compare.target === "mod"
      ? (kv?.modRevision ?? noRevision) === compare.revision
      : (kv?.version ?? 0) === compare.version;
  }

  #expireLeases(): void {
    const now = this.#now();
    for (const [id, lease] of this.#leases) {
      if (lease.expiresAt <= now) this.#revoke(id);
    }
  }

  #revoke(id: LeaseId): void {
    const lease = this.#leases.get(id);
    if (lease === undefined) return;
    this.#leases.delete(id);
    const keys = [...lease.keys].sort();
    if (keys.length === 0) return;
    const revision = toRevision(this.#revision + 1);
    this.#commit(
      keys.map((key) => this.#delete(key, revision)),
      revision,
    );
  }
}

function offer(watch: OpenWatch, events: readonly KvEvent[], revision: Revision): void {
  const inRange = events.filter(({ kv }) => isInRange(kv.key, watch.range));
  if (inRange.length === 0) return;
  watch.queue.push({ kind: "events", events: inRange, revision });
  watch.wake();
}

function leaseNotFound(): StorageError {
  return new StorageError("KeyNotFound", "requested lease not found");
}

function compacted(revision: Revision): StorageError {
  return new StorageError("Compacted", "required revision has been compacted", { revision });
}
