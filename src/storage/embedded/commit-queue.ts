import type { LeaseId } from "../kv.js";
import { StorageError } from "../storage-error.js";
import type { DurableTables } from "./durable-tables.js";
import { bytesNeededBy, type FreeSpace, type RoomForCommit } from "./free-space.js";
import { describeLmdbFailure } from "./lmdb-failure.js";
import type { LmdbTables } from "./lmdb-tables.js";
import type { LeaseRecord } from "./record-layout.js";
import { SnapshotReader } from "./snapshot-reader.js";
import { bytesAddedBy, type Writes } from "./transaction-writes.js";
import { WriteBatch } from "./write-batch.js";

/** Bounds of one commit; further jobs wait for the next. */
const jobsPerCommit = 1000;
const bytesPerCommit = 8 * 1024 * 1024;
/** The space reserved for a job that does not state how much it writes: 1.5 MiB, and the pages around it. */
const jobBytesMax = 2.5 * 1024 * 1024;
/** Work beyond this is refused: the disk cannot keep up. */
const jobsWaitingMax = 100_000;

interface Job {
  /** Runs on the batch and returns what settles the job once the batch is durable. */
  readonly run: (batch: WriteBatch) => () => void;
  readonly reject: (reason: unknown) => void;
  /** An upper bound of the disk space that it takes. */
  readonly bytesNeeded: number;
  readonly readsTables: boolean;
}

export interface JobNeeds {
  /** How much the job writes, if that is known. */
  readonly writes?: Writes | undefined;
  /** Whether it reads more than single keys, for which the tables must hold all commits. */
  readonly readsTables?: boolean | undefined;
}

export interface CommitQueueOptions {
  readonly tables: LmdbTables;
  readonly durable: DurableTables;
  readonly leases: ReadonlyMap<LeaseId, LeaseRecord>;
  /** Called before each commit; rejecting with `NoSpace` refuses puts. */
  readonly checkSpace: () => StorageError | undefined;
  readonly room: Pick<FreeSpace, "prepare" | "prepareFor" | "taken">;
  /** Called when a batch is durable, before any of its jobs resolves. */
  readonly onCommitted: (batch: WriteBatch) => void;
}

/**
 * Group commit: jobs that arrive during a commit go into the next one. Jobs run in order of arrival, each on the state its
 * predecessors left; none resolves before its batch is on disk.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Job[] = [];
  #running: Promise<void> | undefined;
  #commit: Promise<void> = Promise.resolve();
  #closed: StorageError | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /**
   * Rejects with what `run` throws, or with the reason why the commit failed: then nothing of the batch was written. A job that says how
   * much it writes leaves more room to others in its commit.
   */
  enqueue<T>(run: (batch: WriteBatch) => T, { writes, readsTables = false }: JobNeeds = {}): Promise<T> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (this.#waiting.length >= jobsWaitingMax) {
      return Promise.reject(
        new StorageError("Unavailable", `${jobsWaitingMax} writes are waiting for the disk`),
      );
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        run: (batch) => {
          const result = run(batch);
          return () => resolve(result);
        },
        reject,
        bytesNeeded: writes === undefined ? jobBytesMax : bytesAddedBy(writes),
        readsTables,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves once the current commit, if any, was announced or has failed. */
  settled(): Promise<void> {
    return this.#commit;
  }

  /** Finishes the queue and accepts no more jobs. */
  async close(reason: StorageError): Promise<void> {
    this.#closed = reason;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Waits a microtask, so that all callers of this tick join the first commit.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      this.#commit = this.#commitSome();
      await this.#commit;
    }
    this.#running = undefined;
  }

  async #commitSome(): Promise<void> {
    const settle: (() => void)[] = [];
    const members: Job[] = [];
    const { tables, durable, onCommitted } = this.#options;
    try {
      if (this.#waiting[0]?.readsTables === true) await durable.catchUp();
      const preparing = this.#options.room.prepare();
      const room = preparing instanceof Promise ? await preparing : preparing;
      const batch = this.#evaluate(members, settle, room);
      if (!batch.isEmpty) {
        if (!hasRoom(batch, room)) await this.#takeRoom(batch);
        this.#options.room.taken(bytesNeededBy(batch));
        await durable.commit(batch, !room.isScarce && !batch.isPurge);
        onCommitted(batch);
      }
    } catch (error) {
      const reason = await describeLmdbFailure(error, tables.path);
      // Without members, the batch failed before it took any job, and so would the next one.
      for (const job of members.length > 0 ? members : this.#waiting.splice(0)) job.reject(reason);
      return;
    }
    for (const each of settle) each();
  }

  /** Prepares disk space for a batch of one large job. */
  async #takeRoom(batch: WriteBatch): Promise<void> {
    if (hasRoom(batch, await this.#options.room.prepareFor(bytesNeededBy(batch)))) return;
    throw new StorageError("NoSpace", "the store's disk is full");
  }

  /** Runs waiting jobs, as many as fit one commit. Jobs that throw are settled; the others are added to `members`. */
  #evaluate(members: Job[], settle: (() => void)[], room: RoomForCommit): WriteBatch {
    const waiting = this.#waiting;
    let taken = 0;
    const { tables, durable, leases } = this.#options;
    const snapshot = new SnapshotReader(tables);
    try {
      const refusePuts = room.refusePuts ?? this.#options.checkSpace();
      const batch = new WriteBatch({ snapshot, recent: durable, state: durable.state, leases, refusePuts });
      const isRoomFor = ({ bytesNeeded }: Job): boolean =>
        batch.isEmpty || bytesNeededBy(batch) + bytesNeeded < room.putBytes;
      while (taken < jobsPerCommit && batch.bytes < bytesPerCommit) {
        const job = waiting[taken];
        if (job === undefined || !isRoomFor(job) || (job.readsTables && !durable.isCaughtUp)) break;
        taken += 1;
        try {
          settle.push(job.run(batch));
          members.push(job);
        } catch (error) {
          job.reject(error);
        }
      }
      return batch;
    } finally {
      snapshot.done();
      this.#waiting = waiting.slice(taken);
    }
  }
}

function hasRoom(batch: WriteBatch, { putBytes, otherBytes }: RoomForCommit): boolean {
  return bytesNeededBy(batch) <= (batch.hasPuts ? putBytes : otherBytes);
}
