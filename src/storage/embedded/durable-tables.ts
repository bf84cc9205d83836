import { pendingBytesMax } from "./free-space.js";
import { describeLmdbFailure } from "./lmdb-failure.js";
import type { LmdbTables, TableWrite } from "./lmdb-tables.js";
import { encodeLogRecord } from "./log-record.js";
import { RecentWrites } from "./recent-writes.js";
import type { LogPosition, PendingHead, StoreState } from "./record-layout.js";
import { bytesAddedBy } from "./transaction-writes.js";
import { recordBytesMax, type WriteAheadLog } from "./write-ahead-log.js";
import type { RecentHeads, WriteBatch } from "./write-batch.js";

/** How long a commit may be in the log alone. */
const checkpointDelayMs = 5000;

/**
 * The tables behind a write-ahead log. A small commit is durable once the log has it, with one flush; checkpoints write many of them to
 * the tables at once, which takes two flushes and changes each page of the tables once. Commits come one at a time.
 */
export class DurableTables implements RecentHeads {
  readonly #tables: LmdbTables;
  readonly #log: WriteAheadLog | undefined;
  readonly #onFailure: (reason: unknown) => void;
  #position: LogPosition;
  #recent: RecentWrites;
  /** The writes that a checkpoint is moving to the tables. */
  #leaving: RecentWrites | undefined;
  #checkpoint: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasLogFailed = false;
  #isClosing = false;

  constructor(parts: {
    readonly tables: LmdbTables;
    readonly log: WriteAheadLog | undefined;
    /** Up to which log record the tables hold commits. */
    readonly position: LogPosition;
    /** Called when a checkpoint fails that no caller waits for. Its writes stay in the log. */
    readonly onFailure: (reason: unknown) => void;
  }) {
    this.#tables = parts.tables;
    this.#log = parts.log;
    this.#onFailure = parts.onFailure;
    this.#position = parts.position;
    this.#recent = new RecentWrites(parts.tables.state(), this.#position.sequence);
  }

  /** Of the newest commit. */
  get state(): StoreState {
    return this.#recent.state;
  }

  /** Whether the tables hold all commits. */
  get isCaughtUp(): boolean {
    return this.#position.sequence >= this.#recent.sequence;
  }

  /** An upper bound of the pages that the tables need for commits still in the log. */
  get bytesPending(): number {
    return bytesAddedBy(this.#recent) + (this.#leaving === undefined ? 0 : bytesAddedBy(this.#leaving));
  }

  has(key: string): boolean {
    return this.#recent.heads.has(key) || this.#leaving?.heads.has(key) === true;
  }

  get(key: string): PendingHead | undefined {
    const head = this.#recent.heads.get(key);
    if (head !== undefined || this.#leaving === undefined || this.#recent.heads.has(key)) return head;
    return this.#leaving.heads.get(key);
  }

  /** Resolves when the batch is on disk. `mayLog`: false writes it to the tables at once. */
  commit(batch: WriteBatch, mayLog: boolean): Promise<void> {
    const sequence = this.#recent.sequence + 1;
    const log = mayLog && !this.#hasLogFailed && batch.bytes < recordBytesMax ? this.#log : undefined;
    if (log === undefined) return this.#commitAtOnce(batch, sequence);
    log.allocateSoon();
    const { storeId } = this.#position;
    const record = encodeLogRecord(storeId, { sequence, state: batch.state, writes: batch.writes });
    if (!log.hasRoomFor(record.length)) return this.#commitAtOnce(batch, sequence);
    // A record whose write failed may still be on disk, so the next commit goes to the tables under the same sequence: no start replays
    // the record then.
    this.#hasLogFailed = true;
    return log.append(sequence, record).then(() => {
      this.#hasLogFailed = false;
      this.#recent.add(batch, sequence);
      this.#scheduleCheckpoint();
      if (this.bytesPending > pendingBytesMax) this.#checkpointInBackground();
    });
  }

  /** Resolves when the tables hold every commit that was there at the call. */
  async catchUp(): Promise<void> {
    const { sequence } = this.#recent;
    while (this.#position.sequence < sequence) await this.#startCheckpoint();
  }

  /** What the tables cannot take stays in the log until the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    await this.catchUp().catch(this.#onFailure);
    await this.#log?.close();
  }

  #scheduleCheckpoint(): void {
    if (this.#isClosing) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#checkpointInBackground();
    }, checkpointDelayMs).unref();
  }

  #checkpointInBackground(): void {
    // A large commit may have moved the commits to the tables that the timer was set for.
    if (this.#checkpoint === undefined && !this.isCaughtUp) this.#startCheckpoint().catch(this.#onFailure);
  }

  /** One at a time. */
  #startCheckpoint(): Promise<void> {
    this.#checkpoint ??= this.#writeRecent().finally(() => {
      this.#checkpoint = undefined;
      if (!this.#recent.isEmpty) this.#scheduleCheckpoint();
    });
    return this.#checkpoint;
  }

  async #writeRecent(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const leaving = this.#recent;
    this.#leaving = leaving;
    this.#recent = new RecentWrites(leaving.state, leaving.sequence);
    this.#log?.turn();
    try {
      await this.#writeToTables(leaving.writes, leaving.state, leaving.sequence);
    } catch (error) {
      leaving.add(this.#recent, this.#recent.sequence);
      this.#recent = leaving;
      throw error;
    } finally {
      this.#leaving = undefined;
    }
  }

  async #commitAtOnce(batch: WriteBatch, sequence: number): Promise<void> {
    // If it fails, the batch includes its writes.
    while (this.#checkpoint !== undefined) await this.#checkpoint.catch(() => undefined);
    const recent = this.#recent;
    this.#checkpoint = this.#writeToTables([...recent.writes, ...batch.writes], batch.state, sequence);
    try {
      await this.#checkpoint;
      this.#recent = new RecentWrites(batch.state, sequence);
      this.#hasLogFailed = false;
    } finally {
      this.#checkpoint = undefined;
      if (!this.#recent.isEmpty) this.#scheduleCheckpoint();
    }
  }

  async #writeToTables(writes: readonly TableWrite[], state: StoreState, sequence: number): Promise<void> {
    const position = { ...this.#position, sequence };
    try {
      await this.#tables.commit(writes, state, position);
    } catch (error) {
      throw await describeLmdbFailure(error, this.#tables.path);
    }
    this.#position = position;
    this.#log?.applied(sequence);
  }
}
