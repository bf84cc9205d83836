import { setImmediate } from "node:timers/promises";
import { type RangeRequest, type RangeResult, toRevision } from "../kv.js";
import type { DurableTables } from "./durable-tables.js";
import type { LmdbTables } from "./lmdb-tables.js";
import { SnapshotReader } from "./snapshot-reader.js";

/** Reads committed data, whether it is in the tables or only in the log. */
export class StoreReader {
  readonly #tables: LmdbTables;
  readonly #durable: DurableTables;

  constructor(tables: LmdbTables, durable: DurableTables) {
    this.#tables = tables;
    this.#durable = durable;
  }

  /** A single key, which the tables need not hold yet. */
  newest(request: RangeRequest): RangeResult {
    const { start, keysOnly = false, countOnly = false } = request;
    const snapshot = new SnapshotReader(this.#tables);
    try {
      const { state } = this.#durable;
      // The tables then hold a commit that is not announced yet.
      const areTablesAhead = snapshot.state.revision > state.revision;
      const revision = toRevision(areTablesAhead ? snapshot.state.revision : state.revision);
      const isRecent = !areTablesAhead && this.#durable.has(start);
      const head = isRecent ? this.#durable.get(start) : snapshot.head(start);
      if (head === undefined) return { kvs: [], revision, count: 0, more: false };
      if (countOnly) return { kvs: [], revision, count: 1, more: false };
      const kv = snapshot.keyValue(start, head, keysOnly);
      return { kvs: [kv], revision, count: 1, more: false };
    } finally {
      snapshot.done();
    }
  }

  /** Several keys, or an older revision. Yields between the steps of a long read. */
  async scan(request: RangeRequest): Promise<RangeResult> {
    await this.#durable.catchUp();
    const snapshot = new SnapshotReader(this.#tables);
    try {
      const steps = snapshot.range(request);
      let step = steps.next();
      while (step.done !== true) {
        // One step per turn, not queued behind other work: LMDB cannot reuse pages while a snapshot is open.
        await setImmediate();
        step = steps.next();
      }
      return step.value;
    } finally {
      snapshot.done();
    }
  }
}
