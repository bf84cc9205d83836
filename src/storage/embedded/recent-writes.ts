import type { TableWrite } from "./lmdb-tables.js";
import type { PendingHead, StoreState } from "./record-layout.js";
import type { Writes } from "./transaction-writes.js";
import type { WriteBatch } from "./write-batch.js";

/** Commits that are durable in the log but not yet in the tables. */
export class RecentWrites implements Writes {
  readonly heads = new Map<string, PendingHead | undefined>();
  readonly writes: TableWrite[] = [];
  bytes = 0;
  scattered = 0;
  isEmpty = true;
  /** Those of the newest commit. */
  state: StoreState;
  sequence: number;

  constructor(state: StoreState, sequence: number) {
    this.state = state;
    this.sequence = sequence;
  }

  /** Adds what was committed later, up to `sequence`. */
  add(later: WriteBatch | RecentWrites, sequence: number): void {
    for (const write of later.writes) this.writes.push(write);
    for (const [key, head] of later.heads) this.heads.set(key, head);
    this.isEmpty = false;
    this.bytes += later.bytes;
    this.scattered += later.scattered;
    this.state = later.state;
    this.sequence = sequence;
  }
}
