import { crc32 } from "node:zlib";
import { type TableName, type TableWrite, tableNames } from "./lmdb-tables.js";
import { decodeState, encodeState, type StoreState, stateBytes, storeIdBytes } from "./record-layout.js";

/**
 * One commit in the write-ahead log; `docs/embedded-store.md` has the same as a table of offsets. The checksum covers everything after
 * it, so that a partial record, or one left from an earlier use of the file, is not taken for a record.
 */
export interface LogRecord {
  /** One more than that of the commit before. */
  readonly sequence: number;
  readonly state: StoreState;
  readonly writes: readonly TableWrite[];
}

/** Length and checksum. */
const prefixBytes = 8;
const sequenceBytes = 8;
const fixedBytes = prefixBytes + storeIdBytes + sequenceBytes + stateBytes + 4;
/** Table, length of the key, length of the value. */
const entryHeaderBytes = 7;
const removed = 0xffff_ffff;

export function encodeLogRecord(storeId: Buffer, record: LogRecord): Buffer {
  let length = fixedBytes;
  for (const { key, value } of record.writes) length += entryHeaderBytes + key.length + (value?.length ?? 0);
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeUInt32BE(length, 0);
  storeId.copy(bytes, prefixBytes);
  bytes.writeBigUInt64BE(BigInt(record.sequence), prefixBytes + storeIdBytes);
  encodeState(record.state).copy(bytes, prefixBytes + storeIdBytes + sequenceBytes);
  bytes.writeUInt32BE(record.writes.length, fixedBytes - 4);
  let offset = fixedBytes;
  for (const { table, key, value } of record.writes) {
    bytes[offset] = tableNames.indexOf(table);
    bytes.writeUInt16BE(key.length, offset + 1);
    bytes.writeUInt32BE(value?.length ?? removed, offset + 3);
    offset += entryHeaderBytes;
    offset += key.copy(bytes, offset);
    if (value !== undefined) offset += value.copy(bytes, offset);
  }
  bytes.writeUInt32BE(crc32(bytes.subarray(prefixBytes)), 4);
  return bytes;
}

/** The record that starts at `offset`, and where it ends. Undefined when no whole record of this store starts there. */
export function decodeLogRecord(
  storeId: Buffer,
  log: Buffer,
  offset: number,
): { readonly record: LogRecord; readonly end: number } | undefined {
  if (offset + fixedBytes > log.length) return undefined;
  const length = log.readUInt32BE(offset);
  if (length < fixedBytes || offset + length > log.length) return undefined;
  const bytes = log.subarray(offset, offset + length);
  if (!bytes.subarray(prefixBytes, prefixBytes + storeIdBytes).equals(storeId)) return undefined;
  if (crc32(bytes.subarray(prefixBytes)) !== bytes.readUInt32BE(4)) return undefined;
  const stateStart = prefixBytes + storeIdBytes + sequenceBytes;
  return {
    record: {
      sequence: Number(bytes.readBigUInt64BE(prefixBytes + storeIdBytes)),
      state: decodeState(bytes.subarray(stateStart, stateStart + stateBytes)),
      writes: decodeWrites(bytes),
    },
    end: offset + length,
  };
}

function decodeWrites(bytes: Buffer): TableWrite[] {
  const writes: TableWrite[] = [];
  let offset = fixedBytes;
  for (let count = bytes.readUInt32BE(fixedBytes - 4); count > 0; count--) {
    const keyStart = offset + entryHeaderBytes;
    const valueStart = keyStart + bytes.readUInt16BE(offset + 1);
    const valueLength = bytes.readUInt32BE(offset + 3);
    const end = valueLength === removed ? valueStart : valueStart + valueLength;
    writes.push({
      table: tableAt(bytes.readUInt8(offset)),
      key: bytes.subarray(keyStart, valueStart),
      value: valueLength === removed ? undefined : bytes.subarray(valueStart, end),
    });
    offset = end;
  }
  return writes;
}

function tableAt(index: number): TableName {
  const name = tableNames[index];
  if (name === undefined) throw new RangeError(`the log names table ${index}`);
  return name;
}
