import type { TableWrite } from "./lmdb-tables.js";
import type { PendingHead, StoreState } from "./record-layout.js";
import type { Writes } from "./transaction-writes.js";
import type { WriteBatch } from "./write-batch.js";

/** Commits that are durable in the log and not in the tables yet. */
export class RecentWrites implements Writes {
  readonly heads = new Map<string, PendingHead | undefined>();
  readonly writes: TableWrite[] = [];
  bytes = 0;
  scattered = 0;
  #commits = 0;
  /** Those of the newest commit. */
  state: StoreState;
  sequence: number;

  constructor(state: StoreState, sequence: number) {
    this.state = state;
    this.sequence = sequence;
  }

  get isEmpty(): boolean {
    return this.#commits === 0;
  }

  /** Adds later ones. */
  addAll(later: RecentWrites): void {
    for (const write of later.writes) this.writes.push(write);
    for (const [key, head] of later.heads) this.heads.set(key, head);
    this.#commits += later.#commits;
    this.bytes += later.bytes;
    this.scattered += later.scattered;
    this.state = later.state;
    this.sequence = later.sequence;
  }

  add(batch: WriteBatch, sequence: number): void {
    for (const write of batch.writes) this.writes.push(write);
    for (const [key, head] of batch.heads) this.heads.set(key, head);
    this.#commits += 1;
    this.bytes += batch.bytes;
    this.scattered += batch.scattered;
    this.state = batch.state;
    this.sequence = sequence;
  }
}
