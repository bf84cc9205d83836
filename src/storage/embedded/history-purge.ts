import { setImmediate } from "node:timers/promises";
import type { CommitQueue } from "./commit-queue.js";
import type { DurableTables } from "./durable-tables.js";
import type { LmdbTables, TableWrite } from "./lmdb-tables.js";
import { encodePastKey, encodeRevisionKey, type HistoryRecord } from "./record-layout.js";
import { SnapshotReader } from "./snapshot-reader.js";

/** Events processed in one step: about 3 ms of the event loop. */
const eventsPerStep = 300;
/** Bytes of their values in one step, which LMDB's library copies into a buffer of its own. */
const bytesPerStep = 4 * 1024 * 1024;

/**
 * Removes what compaction has made unreachable, a little at a time and through the commit queue, so that neither the event
 * loop nor writers wait for it. It walks the events from where it stopped the last time to the compacted revision: an
 * event knows the version it superseded, and that version is what nobody can ask for any more.
 *
 * Worked example, key `a` put at 3 and 5 and deleted at 8, compacted at 8: event 5 removes version 3, event 8 removes
 * version 5. Event 8 itself stays, for a watch may start at 8; the next purge starts with it and removes it.
 */
export class HistoryPurge {
  readonly #tables: LmdbTables;
  readonly #durable: DurableTables;
  readonly #queue: CommitQueue;
  readonly #onFailure: (reason: unknown) => void;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: {
    readonly tables: LmdbTables;
    readonly durable: DurableTables;
    readonly queue: CommitQueue;
    readonly onFailure: (reason: unknown) => void;
  }) {
    this.#tables = parts.tables;
    this.#durable = parts.durable;
    this.#queue = parts.queue;
    this.#onFailure = parts.onFailure;
  }

  /** Runs in the background until all is done; the call returns at once. */
  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Resolves when the current purge, if any, is done. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped && (await this.#step())) {
        // Not queued behind other work: the file would grow while the purge waits for it.
        await setImmediate();
      }
    } catch (error) {
      // The remaining history stays readable; the next compaction continues from here.
      if (!this.#stopped) this.#onFailure(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** Returns whether there is more to do. */
  async #step(): Promise<boolean> {
    if (this.#tables.state().revision < this.#durable.state.compactedRevision) await this.#durable.catchUp();
    const plan = this.#plan();
    if (plan === undefined) return false;
    await this.#queue.enqueue((batch) => batch.purge(plan.writes, plan.purgedRevision));
    return true;
  }

  #plan(): { readonly writes: readonly TableWrite[]; readonly purgedRevision: number } | undefined {
    const { compactedRevision, purgedRevision } = this.#durable.state;
    if (purgedRevision >= compactedRevision) return undefined;
    const snapshot = new SnapshotReader(this.#tables);
    try {
      const writes: TableWrite[] = [];
      let events = 0;
      let bytes = 0;
      // The last purge handled the events at `purgedRevision`, except that their tombstones stayed.
      let revision = purgedRevision;
      for (const record of snapshot.recordViews(purgedRevision, compactedRevision)) {
        if (record.modRevision !== revision) {
          revision = record.modRevision;
          if (events >= eventsPerStep || bytes >= bytesPerStep) return { writes, purgedRevision: revision };
        }
        events += 1;
        bytes += record.value.length;
        forget(record, compactedRevision, writes);
      }
      return { writes, purgedRevision: compactedRevision };
    } finally {
      snapshot.done();
    }
  }
}

function forget(record: HistoryRecord, compactedRevision: number, writes: TableWrite[]): void {
  const { previous } = record;
  if (previous.modRevision !== 0) {
    writes.push({ table: "history", key: encodeRevisionKey(previous), value: undefined });
    writes.push({ table: "past", key: encodePastKey(record.key, previous.modRevision), value: undefined });
  }
  if (record.type === "delete" && record.modRevision < compactedRevision) {
    writes.push({ table: "history", key: encodeRevisionKey(record), value: undefined });
  }
}
