import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "../../time/clock.js";
import type { HeldRevisions } from "../held-revisions.js";
import {
  type KeyValueStore,
  type KvEvent,
  type LeaseId,
  type LocalCommits,
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
import { closedError, isStorageError } from "../storage-error.js";
import { CommitQueue } from "./commit-queue.js";
import { startCompactionLoop } from "./compaction-loop.js";
import { inspectDataFile, keepPrivate } from "./data-file.js";
import { lockDirectory } from "./directory-lock.js";
import { DurableTables } from "./durable-tables.js";
import { type Allocate, FreeSpace, reserveFirstPages } from "./free-space.js";
import { HistoryPurge } from "./history-purge.js";
import { readHistoryChunk } from "./history-reader.js";
import { LeaseExpiry } from "./lease-expiry.js";
import { dataFileName, type LmdbTables, openTables } from "./lmdb-tables.js";
import {
  decodeLease,
  decodeLeaseAttachment,
  decodeLeaseKey,
  encodeLeaseAttachment,
  type LeaseRecord,
} from "./record-layout.js";
import { SpaceGuard } from "./space-guard.js";
import { StoreReader } from "./store-reader.js";
import { hasScan, isScan, writesOf } from "./transaction-writes.js";
import { WatchHub } from "./watch-hub.js";
import { logFileName, replayLog, WriteAheadLog } from "./write-ahead-log.js";
import type { CommittedRevision, WriteBatch } from "./write-batch.js";

export interface EmbeddedStoreOptions {
  /** Created when missing. Only one process at a time may have it open. */
  readonly directory: string;
  readonly clock?: Clock | undefined;
  /** The clock by which leases expire; default `clock`. */
  readonly leaseClock?: Clock | undefined;
  /** Compacts history at this interval; 0 or unset: only `compact` does. */
  readonly compactionIntervalMs?: number | undefined;
  /** Revisions that the periodic compaction must keep. */
  readonly held?: HeldRevisions | undefined;
  /** Puts are refused with `NoSpace` while the data takes more than this. Unset: the disk is the limit. */
  readonly sizeBytesMax?: number | undefined;
  /** Allocates disk space before LMDB needs it; unset: by writing zeros. */
  readonly allocate?: Allocate | undefined;
  /** The data file is a fresh copy, which need not be checked for damage. */
  readonly isFresh?: boolean | undefined;
  /** False: commits need not survive a crash of the machine, so they are not flushed. Default true. */
  readonly isDurable?: boolean | undefined;
  /** Called for failures that no caller waits for: a purge, an expiry, a compaction of the loop. */
  readonly onBackgroundFailure?: ((reason: unknown) => void) | undefined;
}

export type EmbeddedStore = KeyValueStore &
  LocalCommits & {
    /** Writes a consistent copy of the newest state to a new file while writes continue; resolves when it is on disk. */
    copyTo(file: string): Promise<void>;
    /** Resolves when compacted history has been removed from disk. */
    purged(): Promise<void>;
  };

/**
 * Opens the store in a directory, or makes one. Rejects with `Unavailable` when another process has it open and with
 * `Corrupt` when what lies there is not a store of a known format.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const release = await lockDirectory(options.directory);
  try {
    const path = join(options.directory, dataFileName);
    if (options.isFresh !== true) await inspectDataFile(path, "store");
    await reserveFirstPages(options.directory);
    const tables = await openTables(path, options.isDurable === false ? "passing" : "write");
    await keepPrivate(path);
    const logFile = join(options.directory, logFileName);
    if (existsSync(logFile)) await keepPrivate(logFile);
    if (tables.format() === undefined) {
      tables.initialize({ revision: 1, compactedRevision: 0, purgedRevision: 0, nextLease: 1 });
    }
    await replayLog(options.directory, tables);
    const position = tables.logPosition() ?? tables.startLog();
    const isDurable = options.isDurable !== false;
    const durable = new DurableTables({
      tables,
      log: isDurable ? new WriteAheadLog(options.directory, position.sequence) : undefined,
      position,
      onFailure: options.onBackgroundFailure ?? (() => undefined),
    });
    const room = new FreeSpace({
      tables,
      pending: durable,
      fileBytes: await tables.fileBytes(),
      allocate: options.allocate,
    });
    // Otherwise the first commit would wait for disk space.
    await room.prepare();
    return new LmdbStore(options, { tables, durable, room, release });
  } catch (error) {
    await release();
    throw error;
  }
}

type CommitListener = (events: readonly KvEvent[], revision: Revision) => void;

class LmdbStore implements KeyValueStore, LocalCommits {
  readonly #tables: LmdbTables;
  readonly #durable: DurableTables;
  readonly #reader: StoreReader;
  readonly #leaseClock: Clock;
  readonly #release: () => Promise<void>;
  readonly #leases = new Map<LeaseId, LeaseRecord>();
  readonly #listeners = new Set<CommitListener>();
  readonly #queue: CommitQueue;
  readonly #hub: WatchHub;
  readonly #purge: HistoryPurge;
  readonly #expiry: LeaseExpiry;
  readonly #stopCompaction: () => void;
  #compactedRevision: Revision;
  #closing: Promise<void> | undefined;
  #openReads = 0;
  #readsDone: () => void = () => undefined;

  constructor(
    options: EmbeddedStoreOptions,
    {
      tables,
      durable,
      room,
      release,
    }: {
      readonly tables: LmdbTables;
      readonly durable: DurableTables;
      readonly room: FreeSpace;
      readonly release: () => Promise<void>;
    },
  ) {
    this.#tables = tables;
    this.#durable = durable;
    this.#reader = new StoreReader(tables, durable);
    const clock = options.clock ?? systemClock;
    this.#leaseClock = options.leaseClock ?? clock;
    this.#release = release;
    const state = tables.state();
    this.#compactedRevision = toRevision(state.compactedRevision);
    for (const { key, value } of tables.table("leases").getRange({ start: Buffer.alloc(8) })) {
      this.#leases.set(decodeLeaseKey(key), decodeLease(value));
    }
    const onFailure = options.onBackgroundFailure ?? (() => undefined);
    const space = new SpaceGuard(tables, options.sizeBytesMax);
    this.#queue = new CommitQueue({
      tables,
      durable,
      leases: this.#leases,
      checkSpace: () => space.check(room.fileBytes),
      room,
      onCommitted: (batch) => this.#onCommitted(batch),
    });
    this.#hub = new WatchHub(toRevision(state.revision), {
      readHistory: async (request, next) => {
        // Each chunk takes some milliseconds, so each gets its own turn of the event loop: events that arrive meanwhile go first.
        await setImmediate();
        const { revision } = this.#hub;
        return this.#whileOpen(async () => {
          await durable.catchUp();
          return readHistoryChunk(tables, request, next, revision);
        });
      },
    });
    this.#purge = new HistoryPurge({ tables, durable, queue: this.#queue, onFailure });
    this.#purge.start();
    this.#expiry = new LeaseExpiry({
      clock: this.#leaseClock,
      leases: this.#leases,
      expire: (lease) => this.#expire(lease),
      onFailure,
    });
    this.#expiry.schedule();
    this.#stopCompaction = startCompactionLoop({
      clock,
      intervalMs: options.compactionIntervalMs ?? 0,
      revision: () => this.#hub.revision,
      compactedRevision: () => this.#compactedRevision,
      target: (revision) => options.held?.spare(revision) ?? revision,
      compact: (revision) => this.compact(revision),
      onFailure,
    });
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    return this.#whileOpen(async () => {
      const result = isScan(request) ? await this.#reader.scan(request) : this.#reader.newest(request);
      // LMDB shows a commit shortly before it is announced, but a reader must not see it before the caches do.
      if (result.revision > this.#hub.revision) await this.#queue.settled();
      return result;
    });
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    return this.#queue.enqueue((batch) => batch.transact(transaction), {
      writes: writesOf(transaction),
      readsTables: hasScan(transaction),
    });
  }

  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchBatch> {
    return this.#hub.watch(request, signal);
  }

  async requestProgress(): Promise<void> {
    this.#checkOpen();
    this.#hub.requestProgress();
  }

  async currentRevision(): Promise<Revision> {
    this.#checkOpen();
    return this.#hub.revision;
  }

  async compact(revision: Revision): Promise<void> {
    await this.#queue.enqueue((batch) => batch.compact(revision));
    this.#purge.start();
  }

  async grantLease(ttlSeconds: number): Promise<LeaseId> {
    if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds <= 0)
      throw new RangeError(`not a lease time: ${ttlSeconds}`);
    const lease = await this.#queue.enqueue((batch) => batch.grantLease(ttlSeconds, this.#leaseClock.now()));
    this.#expiry.schedule();
    return lease;
  }

  keepLeaseAlive(lease: LeaseId): Promise<number> {
    return this.#queue.enqueue((batch) => batch.keepLeaseAlive(lease, this.#leaseClock.now()));
  }

  revokeLease(lease: LeaseId): Promise<void> {
    return this.#queue.enqueue((batch) => batch.revokeLease(lease, this.#attachedKeys(lease)), {
      readsTables: true,
    });
  }

  async status(): Promise<StoreStatus> {
    this.#checkOpen();
    const { size } = await stat(this.#tables.path);
    return { revision: this.#hub.revision, dbBytes: size, compactedRevision: this.#compactedRevision };
  }

  compactedRevision(): Revision {
    return this.#compactedRevision;
  }

  onCommit(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  copyTo(file: string): Promise<void> {
    return this.#whileOpen(async () => {
      await this.#durable.catchUp();
      await this.#tables.copyTo(file);
    });
  }

  async purged(): Promise<void> {
    await this.#purge.settled();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopCompaction();
    this.#expiry.stop();
    this.#hub.close(closedError());
    await Promise.all([this.#purge.stop(), this.#queue.close(closedError())]);
    if (this.#openReads > 0) {
      await new Promise<void>((resolve) => {
        this.#readsDone = resolve;
      });
    }
    await this.#durable.close();
    await this.#tables.close();
    await this.#release();
  }

  /** Background work that `close` waits for: LMDB must not be closed while it runs. */
  async #whileOpen<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    this.#openReads += 1;
    try {
      return await work();
    } finally {
      this.#openReads -= 1;
      if (this.#openReads === 0) this.#readsDone();
    }
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }

  #onCommitted(batch: WriteBatch): void {
    for (const [lease, record] of batch.leases) {
      if (record === undefined) this.#leases.delete(lease);
      else this.#leases.set(lease, record);
    }
    this.#compactedRevision = toRevision(Math.max(noRevision, batch.state.compactedRevision));
    for (const committed of batch.revisions) {
      for (const listener of this.#listeners) tell(listener, committed);
      this.#hub.publish(committed);
    }
  }

  async #expire(lease: LeaseId): Promise<void> {
    try {
      await this.#queue.enqueue(
        (batch) => {
          const record = batch.lease(lease);
          if (record === undefined || record.expiresAt > this.#leaseClock.now()) return;
          batch.revokeLease(lease, this.#attachedKeys(lease));
        },
        { readsTables: true },
      );
    } catch (error) {
      if (!isStorageError(error, "KeyNotFound")) throw error;
    }
  }

  *#attachedKeys(lease: LeaseId): Generator<string> {
    const bounds = { start: encodeLeaseAttachment(lease, ""), end: encodeLeaseAttachment(lease + 1n, "") };
    for (const bytes of this.#tables.table("attachments").getKeys(bounds))
      yield decodeLeaseAttachment(bytes).key;
  }
}

function tell(listener: CommitListener, { events, revision }: CommittedRevision): void {
  try {
    listener(events, revision);
  } catch (error) {
    // The commit stays valid. A listener that throws is a bug, so the error becomes an uncaught exception.
    queueMicrotask(() => {
      throw error;
    });
  }
}
