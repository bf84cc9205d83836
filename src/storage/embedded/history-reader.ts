import { isInRange } from "../key-order.js";
import { type KeyRange, type KvEvent, type Revision, toRevision } from "../kv.js";
import type { LmdbTables } from "./lmdb-tables.js";
import { type HistoryRecord, toKeyValue } from "./record-layout.js";
import { compactedError, SnapshotReader } from "./snapshot-reader.js";
import type { HistoryChunk } from "./watch-hub.js";
import type { CommittedRevision } from "./write-batch.js";

/** Bounds of one synchronous read: a few milliseconds. */
const recordsPerChunk = 500;
const bytesPerChunk = 2 * 1024 * 1024;

/**
 * Reads whole revisions from `next` up to at most `last`, as many as fit a chunk, and keeps the events in the range.
 * `last` is what was published: a commit that is on disk but not yet announced is left to the announcement.
 */
export function readHistoryChunk(
  tables: LmdbTables,
  range: KeyRange,
  next: Revision,
  last: Revision,
): HistoryChunk {
  const snapshot = new SnapshotReader(tables);
  try {
    const { compactedRevision } = snapshot.state;
    if (next < compactedRevision) throw compactedError(next, compactedRevision);
    const batches: CommittedRevision[] = [];
    let events: KvEvent[] = [];
    let revision: number = next;
    let records = 0;
    let bytes = 0;
    const flush = (): void => {
      if (events.length > 0) batches.push({ revision: toRevision(revision), events });
      events = [];
    };
    for (const record of snapshot.records(next, last)) {
      if (record.modRevision !== revision) {
        flush();
        revision = record.modRevision;
        if (records >= recordsPerChunk || bytes >= bytesPerChunk)
          return { batches, next: toRevision(revision) };
      }
      records += 1;
      bytes += record.value.length;
      if (isInRange(record.key, range)) events.push(toEvent(snapshot, record));
    }
    flush();
    return { batches, next: toRevision(last + 1) };
  } finally {
    snapshot.done();
  }
}

function toEvent(snapshot: SnapshotReader, record: HistoryRecord): KvEvent {
  const before = record.previous.modRevision === 0 ? undefined : snapshot.history(record.previous);
  return {
    type: record.type,
    kv: toKeyValue(record.key, record, record.value),
    previous: before === undefined ? undefined : toKeyValue(before.key, before, before.value),
  };
}
