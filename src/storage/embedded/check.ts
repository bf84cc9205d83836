import { setImmediate } from "node:timers/promises";
import type { LmdbTables } from "./lmdb-tables.js";
import {
  decodeHead,
  decodeHistory,
  decodeLeaseAttachment,
  decodeLeaseKey,
  decodePastHead,
  decodePastKey,
  decodeRevisionKey,
  encodeRevisionKey,
  type Head,
  type HistoryRecord,
  type StoreState,
} from "./record-layout.js";

export interface CheckReport {
  readonly revision: number;
  readonly compactedRevision: number;
  /** Live keys. */
  readonly keys: number;
  /** Past versions and deletions still kept. */
  readonly historyRecords: number;
  readonly leases: number;
  /** At most 100, as sentences; empty for a sound store. */
  readonly problems: readonly string[];
}

const problemsMax = 100;
const recordsPerRound = 2000;

/** Compares the tables with each other: each version in one table must be in the others, and nothing else may be there. */
export async function checkTables(tables: LmdbTables): Promise<CheckReport> {
  const state = tables.state();
  const check = new Check(tables, state);
  await check.current();
  await check.past();
  await check.history();
  check.leases();
  return {
    revision: state.revision,
    compactedRevision: state.compactedRevision,
    keys: check.keys,
    historyRecords: check.historyRecords,
    leases: check.leaseIds.size,
    problems: check.problems,
  };
}

class Check {
  keys = 0;
  historyRecords = 0;
  readonly leaseIds = new Set<bigint>();
  readonly problems: string[] = [];
  readonly #tables: LmdbTables;
  readonly #state: StoreState;
  #pastVersions = 0;
  #attached = 0;

  constructor(tables: LmdbTables, state: StoreState) {
    this.#tables = tables;
    this.#state = state;
    if (state.compactedRevision > state.revision || state.purgedRevision > state.compactedRevision) {
      this.#problem(`the state is contradictory: ${JSON.stringify(state)}`);
    }
  }

  async current(): Promise<void> {
    for (const { key, value } of this.#tables.table("current").getRange({ start: Buffer.alloc(1) })) {
      this.keys += 1;
      const head = decodeHead(value);
      this.#compare(key.toString(), head);
      if (head.lease !== 0n) this.#attached += 1;
      if (this.keys % recordsPerRound === 0) await nextRound();
    }
  }

  async past(): Promise<void> {
    for (const { key: bytes, value } of this.#tables.table("past").getRange({ start: Buffer.alloc(1) })) {
      this.#pastVersions += 1;
      const { key, modRevision } = decodePastKey(bytes);
      const head = decodePastHead(value);
      if (head.modRevision !== modRevision || head.endRevision <= modRevision) {
        this.#problem(`the past version of ${key} at ${modRevision} is contradictory`);
      }
      this.#compare(key, head);
      if (this.#pastVersions % recordsPerRound === 0) await nextRound();
    }
  }

  /** Each record is either a version that another table names or a deletion, so counting them finds extra ones. */
  async history(): Promise<void> {
    let deletions = 0;
    for (const { key, value } of this.#tables.table("history").getRange({ start: Buffer.alloc(1) })) {
      this.historyRecords += 1;
      const record = decodeHistory(decodeRevisionKey(key), value);
      if (record.modRevision > this.#state.revision) {
        this.#problem(`${record.key} has a version at ${record.modRevision}, after the store's revision`);
      }
      if (record.type === "delete") deletions += 1;
      if (this.historyRecords % recordsPerRound === 0) await nextRound();
    }
    const named = this.keys + this.#pastVersions;
    if (this.historyRecords - deletions !== named) {
      this.#problem(`history has ${this.historyRecords - deletions} versions, but ${named} are known`);
    }
  }

  leases(): void {
    for (const key of this.#tables.table("leases").getKeys({ start: Buffer.alloc(1) })) {
      this.leaseIds.add(decodeLeaseKey(key));
    }
    let attachments = 0;
    for (const bytes of this.#tables.table("attachments").getKeys({ start: Buffer.alloc(1) })) {
      attachments += 1;
      const { lease, key } = decodeLeaseAttachment(bytes);
      if (!this.leaseIds.has(lease))
        this.#problem(`${key} is attached to lease ${lease}, which does not exist`);
    }
    if (attachments !== this.#attached) {
      this.#problem(`${this.#attached} keys have a lease, but ${attachments} are attached to one`);
    }
  }

  #compare(key: string, head: Head): void {
    const record = this.#record(head);
    if (record === undefined) {
      this.#problem(`${key} at revision ${head.modRevision} has no value`);
    } else if (
      record.key !== key ||
      record.type !== "put" ||
      record.createRevision !== head.createRevision ||
      record.version !== head.version ||
      record.lease !== head.lease
    ) {
      this.#problem(`${key} at revision ${head.modRevision} differs from its history`);
    }
  }

  #record(head: Head): HistoryRecord | undefined {
    const bytes = this.#tables.table("history").get(encodeRevisionKey(head));
    return bytes === undefined ? undefined : decodeHistory(head, bytes);
  }

  #problem(text: string): void {
    if (this.problems.length < problemsMax) this.problems.push(text);
  }
}

/** Yields, so that signals are handled and progress is printed. */
function nextRound(): Promise<void> {
  return setImmediate();
}
