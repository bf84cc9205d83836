import type { Dial } from "../../remote/remote-client.js";
import { type Clock, systemClock } from "../../time/clock.js";
import type { GrpcObserver } from "../grpc/grpc-metrics.js";
import type { HeldRevisions } from "../held-revisions.js";
import { isEmptyRange } from "../key-order.js";
import {
  type KeyValue,
  type KeyValueStore,
  type LeaseId,
  noRevision,
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
import { isStorageError, StorageError } from "../storage-error.js";
import type { Store3Tls } from "./connection.js";
import { ConnectionPool, type UnaryCall } from "./connection-pool.js";
import { findCompactedRevision, keepLeaseAlive } from "./etcd-conversations.js";
import { describeEtcdFailure } from "./etcd-failure.js";
import {
  decodeGrantLease,
  decodeHeader,
  decodeRange,
  decodeStatus,
  decodeTransaction,
  encodeCompact,
  encodeGrantLease,
  encodeLease,
  encodeRange,
  encodeStatus,
  encodeTransaction,
  type MemberStatus,
  methods,
} from "./etcd-messages.js";
import { EtcdWatch } from "./etcd-watch.js";
import { RevisionReader } from "./revision-reader.js";
import { startSharedCompaction } from "./shared-compaction.js";
import { type OpenWatch, StoreFeed } from "./store-feed.js";

export interface Store3Options {
  /** Members of one cluster, in any number, as `http://host:port` or `https://host:port`. */
  readonly endpoints: readonly string[];
  /** For https. */
  readonly tls?: Store3Tls | undefined;
  /** Opens the connections, through a proxy for example; default: directly. */
  readonly dial?: Dial | undefined;
  /** Receives all calls to the store. */
  readonly observer?: GrpcObserver | undefined;
  /** Time limit of each operation, over all its attempts. Default 15 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Takes part in the compaction shared by all servers on the store; 0 or unset: only `compact` does. */
  readonly compactionIntervalMs?: number | undefined;
  /** Revisions that this server's compaction must keep. */
  readonly held?: HeldRevisions | undefined;
  readonly clock?: Clock | undefined;
  /** Called for failures that no caller waits for, such as those of the compaction loop. */
  readonly onBackgroundFailure?: ((reason: unknown) => void) | undefined;
}

export interface EndpointStatus extends MemberStatus {
  readonly endpoint: string;
}

export type Store3 = KeyValueStore & {
  /** Resolves when the store answers a linearizable read within the time; rejects with `Unavailable`. */
  health(timeoutMs: number): Promise<void>;
  /** Status of every endpoint, in order; those that do not answer are left out. */
  endpointStatuses(): Promise<readonly EndpointStatus[]>;
};

const requestTimeoutMsDefault = 15_000;

/** A range without a limit is read in pages of this many keys: decoding one takes about 10 ms of the event loop. */
const pageKeys = 10_000;

/** A key that is never written: counting it is the cheapest linearizable read. */
const healthKey = "health";

/** Connects to an etcd v3 cluster. Rejects with `Unavailable` when it does not answer in time. */
export async function openStore3(options: Store3Options): Promise<Store3> {
  const store = new Etcd(options);
  try {
    await store.begin();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class Etcd implements KeyValueStore {
  readonly #options: Store3Options;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #calls: ConnectionPool;
  /** Separate connections: a long list must not delay events. */
  readonly #streams: ConnectionPool;
  readonly #revisionReader: RevisionReader;
  /** The newest revision seen in any answer or event. */
  #seenRevision = noRevision;
  #feed: StoreFeed | undefined;
  #stopCompaction: () => void = () => undefined;
  #closed: StorageError | undefined;

  constructor(options: Store3Options) {
    const endpoints = options.endpoints.map(toOrigin);
    if (endpoints.length === 0) throw new RangeError("a store needs an endpoint");
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.requestTimeoutMs ?? requestTimeoutMsDefault;
    this.#calls = this.#connect(endpoints);
    this.#streams = this.#connect(endpoints);
    this.#revisionReader = new RevisionReader(() => this.#readRevision(this.#timeoutMs));
  }

  async begin(): Promise<void> {
    const { compactionIntervalMs = 0, onBackgroundFailure = () => undefined } = this.#options;
    await this.currentRevision();
    this.#feed = this.#openFeed();
    if (compactionIntervalMs > 0) {
      this.#stopCompaction = startSharedCompaction({
        store: this,
        clock: this.#clock,
        held: this.#options.held,
        intervalMs: compactionIntervalMs,
        onFailure: onBackgroundFailure,
      });
    }
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    if (isEmptyRange(request)) {
      return { kvs: [], revision: await this.currentRevision(), count: 0, more: false };
    }
    const first = await this.#page(request, pageKeys);
    if (!first.more || (request.limit || Number.POSITIVE_INFINITY) <= first.kvs.length) return first;
    return this.#furtherPages(request, first);
  }

  async transact(transaction: Transaction): Promise<TransactionResult> {
    const isEmpty = transaction.success.length === 0 && transaction.failure.length === 0;
    // Without an operation, etcd answers from a member's own state, which may be behind.
    const sent = isEmpty ? { ...transaction, ...linearized } : transaction;
    const frame = encodeTransaction(sent);
    const repeatable = [...sent.success, ...sent.failure].every((operation) => operation.kind === "range");
    const answer = await this.#call({ method: methods.transaction, frame, repeatable });
    const result = this.#parse(() => decodeTransaction(answer, sent));
    this.#saw(result.revision);
    return isEmpty ? { ...result, results: [] } : result;
  }

  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchBatch> {
    const feed = this.#feed;
    if (feed === undefined) throw new RangeError("the store is not open yet");
    // From now on: all revisions seen so far are older.
    const start = request.startRevision || toRevision(this.#seenRevision + 1);
    return feed.subscribe(request, start).batches(signal);
  }

  async requestProgress(): Promise<void> {
    this.#feed?.requestProgress(this.#seenRevision);
  }

  currentRevision(): Promise<Revision> {
    return this.#revisionReader.read();
  }

  async compact(revision: Revision): Promise<void> {
    const frame = encodeCompact(revision);
    const answer = await this.#call({ method: methods.compact, frame, repeatable: false }, revision);
    this.#saw(this.#parse(() => decodeHeader(answer)));
    this.#feed?.compacted(revision);
  }

  async grantLease(ttlSeconds: number): Promise<LeaseId> {
    if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds <= 0)
      throw new RangeError(`not a lease time: ${ttlSeconds}`);
    // An unused lease expires by itself.
    const frame = encodeGrantLease(ttlSeconds);
    const answer = await this.#call({ method: methods.grantLease, frame, repeatable: true });
    return this.#parse(() => decodeGrantLease(answer));
  }

  async keepLeaseAlive(lease: LeaseId): Promise<number> {
    const ttlSeconds = await this.#guard(() =>
      keepLeaseAlive(this.#streams, this.#clock, lease, this.#timeoutMs),
    );
    if (ttlSeconds === 0) throw new StorageError("KeyNotFound", `requested lease not found: ${lease}`);
    return ttlSeconds;
  }

  async revokeLease(lease: LeaseId): Promise<void> {
    const frame = encodeLease(lease);
    const answer = await this.#call({ method: methods.revokeLease, frame, repeatable: false });
    this.#saw(this.#parse(() => decodeHeader(answer)));
  }

  async status(): Promise<StoreStatus> {
    const answer = await this.#call({ method: methods.status, frame: encodeStatus(), repeatable: true });
    const { dbBytes } = this.#parse(() => decodeStatus(answer));
    return {
      revision: await this.currentRevision(),
      dbBytes,
      compactedRevision: await this.#compactedRevision(),
    };
  }

  async health(timeoutMs: number): Promise<void> {
    await this.#readRevision(timeoutMs);
  }

  async endpointStatuses(): Promise<readonly EndpointStatus[]> {
    const statuses = await Promise.all(
      this.#calls.connections.map(async ({ endpoint }): Promise<EndpointStatus | undefined> => {
        const pool = this.#connect([endpoint]);
        try {
          const call = { method: methods.status, frame: encodeStatus(), repeatable: false };
          return { endpoint, ...decodeStatus(await pool.call(call, this.#timeoutMs)) };
        } catch {
          return undefined;
        } finally {
          pool.close();
        }
      }),
    );
    return statuses.filter((status) => status !== undefined);
  }

  async close(): Promise<void> {
    this.#closed ??= new StorageError("Unavailable", "the store is closed");
    this.#stopCompaction();
    this.#feed?.close(this.#closed);
    this.#calls.close();
    this.#streams.close();
  }

  #connect(endpoints: readonly string[]): ConnectionPool {
    return new ConnectionPool(endpoints, { ...this.#options, clock: this.#clock });
  }

  #openFeed(): StoreFeed {
    const openWatch: OpenWatch = (options) =>
      new EtcdWatch({
        ...options,
        pool: this.#streams,
        clock: this.#clock,
        onEvents: (events, revision) => {
          this.#saw(revision);
          options.onEvents(events, revision);
        },
      });
    return new StoreFeed({
      openWatch,
      after: this.#seenRevision,
      currentRevision: () => this.currentRevision(),
    });
  }

  /** One answer of at most `keysMax` keys. */
  async #page(request: RangeRequest, keysMax: number): Promise<RangeResult> {
    const limit = Math.min(request.limit || keysMax, keysMax);
    const frame = encodeRange({ ...request, limit: request.countOnly === true ? 0 : limit });
    const answer = await this.#call({ method: methods.range, frame, repeatable: true }, request.revision);
    const result = this.#parse(() => decodeRange(answer));
    this.#saw(result.revision);
    return result;
  }

  /** The rest of a long range, at the revision of its first page. */
  async #furtherPages(request: RangeRequest, first: RangeResult): Promise<RangeResult> {
    const kvs: KeyValue[] = [...first.kvs];
    const revision = request.revision || first.revision;
    let more = first.more;
    while (more && (!request.limit || kvs.length < request.limit)) {
      const last = kvs.at(-1);
      if (last === undefined) break;
      const limit = request.limit ? request.limit - kvs.length : undefined;
      try {
        const page = await this.#page({ ...request, start: `${last.key}\0`, revision, limit }, pageKeys);
        for (const kv of page.kvs) kvs.push(kv);
        more = page.more;
      } catch (error) {
        // Compacted between two pages of the newest state: start again with the newest.
        if (!request.revision && isStorageError(error, "Compacted")) return this.range(request);
        throw error;
      }
    }
    return { kvs, revision: first.revision, count: first.count, more };
  }

  async #readRevision(timeoutMs: number): Promise<Revision> {
    const frame = encodeRange({ start: healthKey, countOnly: true });
    const answer = await this.#call({ method: methods.range, frame, repeatable: true }, undefined, timeoutMs);
    const revision = this.#parse(() => decodeHeader(answer));
    this.#saw(revision);
    return revision;
  }

  /** etcd reports it only to watches that ask for something older. */
  async #compactedRevision(): Promise<Revision> {
    const first = toRevision(1);
    try {
      await this.#page({ start: healthKey, countOnly: true, revision: first }, 1);
      return noRevision;
    } catch (error) {
      if (!isStorageError(error, "Compacted")) throw error;
      return this.#guard(() => findCompactedRevision(this.#streams, this.#clock, this.#timeoutMs));
    }
  }

  #call(call: UnaryCall, revision?: Revision, timeoutMs = this.#timeoutMs): Promise<Buffer> {
    return this.#guard(() => this.#calls.call(call, timeoutMs), revision);
  }

  async #guard<T>(work: () => Promise<T>, revision?: Revision): Promise<T> {
    if (this.#closed !== undefined) throw this.#closed;
    try {
      return await work();
    } catch (error) {
      throw describeEtcdFailure(error, revision);
    }
  }

  #parse<T>(decode: () => T): T {
    try {
      return decode();
    } catch (cause) {
      throw new StorageError("Corrupt", "an answer of the store cannot be read", { cause });
    }
  }

  #saw(revision: Revision): void {
    if (revision > this.#seenRevision) this.#seenRevision = revision;
  }
}

const linearized = {
  success: [{ kind: "range", range: { start: healthKey, countOnly: true } }],
  failure: [{ kind: "range", range: { start: healthKey, countOnly: true } }],
} as const;

/** Assumes `http` when there is no scheme. Throws `RangeError` for a malformed address. */
function toOrigin(endpoint: string): string {
  const address = endpoint.includes("://") ? endpoint : `http://${endpoint}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:") || url.host === "") {
    throw new RangeError(`not an endpoint: ${endpoint}`);
  }
  return url.origin;
}
