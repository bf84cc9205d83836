import type { Transaction } from "lmdb";
import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { isEmptyRange } from "../key-order.js";
import { type KeyRange, type KeyValue, type RangeRequest, type RangeResult, toRevision } from "../kv.js";
import { StorageError } from "../storage-error.js";
import { keyBytesMax, type LmdbTables } from "./lmdb-tables.js";
import {
  decodeHead,
  decodeHistory,
  decodePastHead,
  decodePastKey,
  decodeRevisionKey,
  encodePastKey,
  encodeRevisionKey,
  escapeKey,
  type Head,
  type HistoryRecord,
  historyValue,
  type PendingHead,
  type Place,
  type StoreState,
  toKeyValue,
} from "./record-layout.js";

/** Entries between two yields of a scan: about 5 ms of work. */
const entriesPerTurn = 2000;

const noValue = new Uint8Array(0);

/** Size of the buffers that values of one scan share; it grows with the scan. */
const pieceBytesMin = 2 * 1024;
const pieceBytesMax = 256 * 1024;
const noPiece = Buffer.alloc(0);

/**
 * Reads of one LMDB snapshot. Scans are generators that yield regularly, so that a large one does not block the event loop.
 */
export class SnapshotReader {
  readonly #tables: LmdbTables;
  readonly #transaction: Transaction;
  #state: StoreState | undefined;

  constructor(tables: LmdbTables) {
    this.#tables = tables;
    this.#transaction = tables.snapshot();
  }

  get state(): StoreState {
    this.#state ??= this.#tables.state(this.#transaction);
    return this.#state;
  }

  done(): void {
    this.#transaction.done();
  }

  head(key: string): Head | undefined {
    const keyBytes = Buffer.from(key);
    if (keyBytes.length > keyBytesMax) return undefined;
    const view = this.#tables.view("current", keyBytes, this.#transaction);
    return view === undefined ? undefined : decodeHead(view);
  }

  history(place: Place): HistoryRecord | undefined {
    const view = this.#tables.view("history", encodeRevisionKey(place), this.#transaction);
    return view === undefined ? undefined : decodeHistory(place, copy(view));
  }

  keyValue(
    key: string,
    head: Head | PendingHead,
    keysOnly: boolean,
    copied: (view: Buffer) => Buffer = copy,
  ): KeyValue {
    if ("value" in head) return toKeyValue(key, head, keysOnly ? noValue : head.value);
    if (keysOnly) return toKeyValue(key, head, noValue);
    const view = this.#tables.view("history", encodeRevisionKey(head), this.#transaction);
    if (view === undefined) {
      throw new StorageError("Corrupt", `no value stored for ${key} at revision ${head.modRevision}`, {
        key,
      });
    }
    return toKeyValue(key, head, copied(historyValue(view)));
  }

  /** Throws `FutureRevision` and `Compacted`. */
  *range(request: RangeRequest): Generator<void, RangeResult> {
    const { revision: newest, compactedRevision } = this.state;
    const revision = request.revision || newest;
    checkRevision(revision, newest, compactedRevision);
    if (isEmptyRange(request)) return { kvs: [], revision: toRevision(newest), count: 0, more: false };

    const isNewest = revision === newest;
    if (request.countOnly === true && isNewest && request.end !== undefined) {
      return { kvs: [], revision: toRevision(newest), count: this.#countCurrent(request), more: false };
    }
    const limit = request.limit || Number.POSITIVE_INFINITY;
    const kvs: KeyValue[] = [];
    let count = 0;
    let sinceYield = 0;
    const values = new ValueCopier();
    const copied = (view: Buffer): Buffer => values.copy(view);
    for (const [key, head] of isNewest ? this.heads(request) : this.#headsAt(request, revision)) {
      count += 1;
      if (request.countOnly !== true && count <= limit) {
        kvs.push(this.keyValue(key, head, request.keysOnly === true, copied));
      } else if (request.withoutCount === true) {
        break;
      } else if (isNewest && count > limit) {
        count = this.#countCurrent(request);
        break;
      }
      sinceYield += 1;
      if (sinceYield === entriesPerTurn) {
        sinceYield = 0;
        yield;
      }
    }
    return {
      kvs,
      revision: toRevision(newest),
      count,
      more: request.countOnly !== true && count > kvs.length,
    };
  }

  /** Newest versions in key order. */
  *heads(range: KeyRange): Generator<readonly [string, Head]> {
    if (range.end === undefined) {
      const head = this.head(range.start);
      if (head !== undefined) yield [range.start, head];
      return;
    }
    for (const { key, value } of this.#tables
      .table("current")
      .getRange(this.#bounds(range.start, range.end))) {
      yield [key.toString(), decodeHead(value)];
    }
  }

  /** Versions at an older revision in key order: current ones that are old enough, merged with past ones. */
  *#headsAt(range: KeyRange, revision: number): Generator<readonly [string, Head]> {
    const past = this.#pastHeads(range, revision);
    let next = past.next();
    for (const entry of this.heads(range)) {
      if (entry[1].modRevision > revision) continue;
      while (next.done !== true && compareUtf8(next.value[0], entry[0]) < 0) {
        yield next.value;
        next = past.next();
      }
      yield entry;
    }
    while (next.done !== true) {
      yield next.value;
      next = past.next();
    }
  }

  *#pastHeads(range: KeyRange, revision: number): Generator<readonly [string, Head]> {
    const bounds =
      range.end === undefined
        ? {
            start: toBound(encodePastKey(range.start, 0)),
            end: toBound(encodePastKey(range.start, revision + 1)),
          }
        : { start: toBound(escapeKey(range.start)), end: toBound(escapeKey(range.end)) };
    const entries = this.#tables.table("past").getRange({ ...bounds, transaction: this.#transaction });
    for (const { key: bytes, value } of entries) {
      const head = decodePastHead(value);
      if (head.modRevision > revision || head.endRevision <= revision) continue;
      yield [decodePastKey(bytes).key, head];
    }
  }

  #countCurrent(range: KeyRange): number {
    if (range.end === undefined) return this.head(range.start) === undefined ? 0 : 1;
    return this.#tables.table("current").getKeysCount(this.#bounds(range.start, range.end));
  }

  #bounds(start: string, end: string): { start: Buffer; end: Buffer; transaction: Transaction } {
    return {
      start: toBound(Buffer.from(start)),
      end: toBound(Buffer.from(end)),
      transaction: this.#transaction,
    };
  }

  /**
   * History records from revision `from` to `to`, inclusive, in order. Values are copies. Iteration may be abandoned at any point,
   * within the event turn.
   */
  *records(from: number, to: number): Generator<HistoryRecord> {
    const entries = this.#tables.table("history").getRange({
      start: encodeRevisionKey({ modRevision: from, index: 0 }),
      end: encodeRevisionKey({ modRevision: to + 1, index: 0 }),
      transaction: this.#transaction,
    });
    for (const { key, value } of entries) yield decodeHistory(decodeRevisionKey(key), value);
  }

  /** Like `records`, but values are views that the next read overwrites: for readers that ignore values, which may have megabytes. */
  *recordViews(from: number, to: number): Generator<HistoryRecord> {
    const keys = this.#tables.table("history").getKeys({
      start: encodeRevisionKey({ modRevision: from, index: 0 }),
      end: encodeRevisionKey({ modRevision: to + 1, index: 0 }),
      transaction: this.#transaction,
    });
    for (const key of keys) {
      const place = decodeRevisionKey(key);
      const view = this.#tables.view("history", encodeRevisionKey(place), this.#transaction);
      if (view !== undefined) yield decodeHistory(place, view);
    }
  }
}

/**
 * Copies the values of one scan, which are decoded and released together. Many share one buffer: with a buffer for every three of them, as
 * with Node's pool, copying took a sixth of a scan.
 */
class ValueCopier {
  #piece: Buffer = noPiece;
  #used = 0;
  #pieceBytes = pieceBytesMin;

  copy(view: Buffer): Buffer {
    const { length } = view;
    if (length > this.#piece.length - this.#used) {
      if (length > pieceBytesMax / 4) return Buffer.from(view);
      this.#pieceBytes = Math.min(2 * this.#pieceBytes, pieceBytesMax);
      this.#piece = Buffer.allocUnsafeSlow(Math.max(this.#pieceBytes, length));
      this.#used = 0;
    }
    const start = this.#used;
    view.copy(this.#piece, start);
    this.#used = start + length;
    return this.#piece.subarray(start, this.#used);
  }
}

/** Small copies come from Node's 8 KiB pool, so that a value kept longer holds on to little else. */
function copy(view: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(view.length);
  view.copy(bytes);
  return bytes;
}

/** LMDB accepts no longer bounds. Every key is shorter than the cut, so it changes no comparison. */
function toBound(bytes: Buffer): Buffer {
  return bytes.subarray(0, keyBytesMax + 40);
}

export function checkRevision(revision: number, newest: number, compacted: number): void {
  if (revision > newest) {
    throw new StorageError(
      "FutureRevision",
      `revision ${revision} is in the future: the store is at ${newest}`,
      { revision, newest },
    );
  }
  if (revision < compacted) throw compactedError(revision, compacted);
}

export function compactedError(revision: number, compacted: number): StorageError {
  return new StorageError(
    "Compacted",
    `revision ${revision} has been compacted: history starts at ${compacted}`,
    {
      revision: compacted,
    },
  );
}
