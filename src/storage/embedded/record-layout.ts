import type { KeyValue, LeaseId } from "../kv.js";
import { toRevision } from "../kv.js";

/**
 * The bytes of the embedded engine's tables; `docs/embedded-store.md` has the same as a table of offsets. They are on users' disks: a
 * change needs a new `formatVersion` and code that reads the old one. Integers are big-endian, so that LMDB's bytewise order is theirs.
 */
export const formatVersion = 2;
export const formatWithoutLog = 1;

const revisionKeyBytes = 12;
export const stateBytes = 32;
export const storeIdBytes = 8;
const headBytes = 36;
const historyHeaderBytes = 41;
const deleteFlag = 1;

/** Where one version of a key stands in the history table: the revision, and the position among its events. */
export interface Place {
  readonly modRevision: number;
  readonly index: number;
}

/** A live version of a key, without its value. */
export interface Head extends Place {
  readonly createRevision: number;
  readonly version: number;
  readonly lease: LeaseId;
}

/** A version that the tables do not hold yet, with its value. */
export interface PendingHead extends Head {
  readonly value: Uint8Array;
}

/** A version that was superseded or deleted at `endRevision`. */
export interface PastHead extends Head {
  readonly endRevision: number;
}

export interface HistoryRecord extends Head {
  readonly type: "put" | "delete";
  readonly key: string;
  readonly value: Uint8Array;
  /** The version before; `modRevision` 0 when the key came into being. */
  readonly previous: Place;
}

export interface StoreState {
  readonly revision: number;
  readonly compactedRevision: number;
  /**
   * Compacted history is physically removed up to here, exclusive; lags behind `compactedRevision` while the purge runs.
   */
  readonly purgedRevision: number;
  readonly nextLease: number;
}

export interface LeaseRecord {
  readonly ttlSeconds: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export function encodeRevisionKey(place: Place): Buffer {
  const bytes = Buffer.allocUnsafe(revisionKeyBytes);
  writeInteger(bytes, 0, place.modRevision);
  bytes.writeUInt32BE(place.index, 8);
  return bytes;
}

export function decodeRevisionKey(bytes: Uint8Array): Place {
  const view = asBuffer(bytes);
  return { modRevision: readInteger(view, 0), index: view.readUInt32BE(8) };
}

export function encodeHead(head: Head): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes);
  writeHead(bytes, 0, head);
  return bytes;
}

export function decodeHead(bytes: Uint8Array): Head {
  return readHead(asBuffer(bytes), 0);
}

export function encodePastHead(head: PastHead): Buffer {
  const bytes = Buffer.allocUnsafe(8 + headBytes);
  writeInteger(bytes, 0, head.endRevision);
  writeHead(bytes, 8, head);
  return bytes;
}

export function decodePastHead(bytes: Uint8Array): PastHead {
  const view = asBuffer(bytes);
  return { endRevision: readInteger(view, 0), ...readHead(view, 8) };
}

/** The value is the rest of the result, from `valueStart` on. */
export function encodeHistory(record: HistoryRecord): {
  readonly bytes: Buffer;
  readonly valueStart: number;
} {
  const keyBytes = Buffer.byteLength(record.key);
  const valueStart = historyHeaderBytes + keyBytes;
  const bytes = Buffer.allocUnsafe(valueStart + record.value.length);
  bytes.writeUInt8(record.type === "delete" ? deleteFlag : 0, 0);
  writeInteger(bytes, 1, record.createRevision);
  writeInteger(bytes, 9, record.version);
  writeLease(bytes, 17, record.lease);
  writeInteger(bytes, 25, record.previous.modRevision);
  bytes.writeUInt32BE(record.previous.index, 33);
  bytes.writeUInt32BE(keyBytes, 37);
  bytes.write(record.key, historyHeaderBytes);
  bytes.set(record.value, valueStart);
  return { bytes, valueStart };
}

export function decodeHistory(place: Place, bytes: Uint8Array): HistoryRecord {
  const view = asBuffer(bytes);
  const valueStart = historyHeaderBytes + view.readUInt32BE(37);
  return {
    type: view.readUInt8(0) === deleteFlag ? "delete" : "put",
    modRevision: place.modRevision,
    index: place.index,
    createRevision: readInteger(view, 1),
    version: readInteger(view, 9),
    lease: readLease(view, 17),
    previous: { modRevision: readInteger(view, 25), index: view.readUInt32BE(33) },
    key: view.toString("utf8", historyHeaderBytes, valueStart),
    value: view.subarray(valueStart),
  };
}

/** The value of an encoded history record, as a view. */
export function historyValue(bytes: Buffer): Buffer {
  return bytes.subarray(historyHeaderBytes + bytes.readUInt32BE(37));
}

/**
 * A past version's key: the key with 00 written as 00 FF, then 00 00, then the revision. So all versions of a key lie
 * together, in order, between those of its neighbours, even where one key is a prefix of another.
 */
export function encodePastKey(key: string, modRevision: number): Buffer {
  const escaped = escapeKey(key);
  const bytes = Buffer.alloc(escaped.length + 10);
  bytes.set(escaped);
  writeInteger(bytes, escaped.length + 2, modRevision);
  return bytes;
}

/** The bound before every past version of `key` and of the keys after it. */
export function escapeKey(key: string): Buffer {
  const bytes = Buffer.from(key);
  if (!bytes.includes(0)) return bytes;
  const escaped: number[] = [];
  for (const byte of bytes) {
    escaped.push(byte);
    if (byte === 0) escaped.push(0xff);
  }
  return Buffer.from(escaped);
}

export function decodePastKey(bytes: Uint8Array): { readonly key: string; readonly modRevision: number } {
  const view = asBuffer(bytes);
  const end = view.length - 10;
  let raw = view.subarray(0, end);
  if (raw.includes(0))
    raw = Buffer.from(raw.filter((byte, index) => !(byte === 0xff && raw[index - 1] === 0)));
  return { key: raw.toString(), modRevision: readInteger(view, end + 2) };
}

export function encodeState(state: StoreState): Buffer {
  const bytes = Buffer.allocUnsafe(stateBytes);
  writeInteger(bytes, 0, state.revision);
  writeInteger(bytes, 8, state.compactedRevision);
  writeInteger(bytes, 16, state.purgedRevision);
  writeInteger(bytes, 24, state.nextLease);
  return bytes;
}

export function decodeState(bytes: Uint8Array): StoreState {
  const view = asBuffer(bytes);
  return {
    revision: readInteger(view, 0),
    compactedRevision: readInteger(view, 8),
    purgedRevision: readInteger(view, 16),
    nextLease: readInteger(view, 24),
  };
}

/** Which log belongs to the tables, and the last commit of it that they hold. */
export interface LogPosition {
  readonly storeId: Buffer;
  readonly sequence: number;
}

export function encodeLogPosition({ storeId, sequence }: LogPosition): Buffer {
  const bytes = Buffer.alloc(storeIdBytes + 8);
  storeId.copy(bytes);
  writeInteger(bytes, storeIdBytes, sequence);
  return bytes;
}

export function decodeLogPosition(bytes: Uint8Array): LogPosition {
  const view = asBuffer(bytes);
  return {
    storeId: Buffer.from(view.subarray(0, storeIdBytes)),
    sequence: readInteger(view, storeIdBytes),
  };
}

export function encodeLeaseKey(lease: LeaseId): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeLease(bytes, 0, lease);
  return bytes;
}

export function decodeLeaseKey(bytes: Uint8Array): LeaseId {
  return asBuffer(bytes).readBigUInt64BE(0);
}

export function encodeLeaseAttachment(lease: LeaseId, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(8 + Buffer.byteLength(key));
  writeLease(bytes, 0, lease);
  bytes.write(key, 8);
  return bytes;
}

export function decodeLeaseAttachment(bytes: Uint8Array): { readonly lease: LeaseId; readonly key: string } {
  const view = asBuffer(bytes);
  return { lease: view.readBigUInt64BE(0), key: view.toString("utf8", 8) };
}

export function encodeLease(lease: LeaseRecord): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeInteger(bytes, 0, lease.ttlSeconds);
  writeInteger(bytes, 8, lease.expiresAt);
  return bytes;
}

export function decodeLease(bytes: Uint8Array): LeaseRecord {
  const view = asBuffer(bytes);
  return { ttlSeconds: readInteger(view, 0), expiresAt: readInteger(view, 8) };
}

export function toKeyValue(key: string, head: Head, value: Uint8Array): KeyValue {
  return {
    key,
    value,
    modRevision: toRevision(head.modRevision),
    createRevision: toRevision(head.createRevision),
    version: head.version,
    lease: head.lease,
  };
}

function writeHead(bytes: Buffer, offset: number, head: Head): void {
  writeInteger(bytes, offset, head.modRevision);
  bytes.writeUInt32BE(head.index, offset + 8);
  writeInteger(bytes, offset + 12, head.createRevision);
  writeInteger(bytes, offset + 20, head.version);
  writeLease(bytes, offset + 28, head.lease);
}

function readHead(bytes: Buffer, offset: number): Head {
  return {
    modRevision: readInteger(bytes, offset),
    index: bytes.readUInt32BE(offset + 8),
    createRevision: readInteger(bytes, offset + 12),
    version: readInteger(bytes, offset + 20),
    lease: readLease(bytes, offset + 28),
  };
}

/** Up to 2^53; two halves, because a bigint per field would dominate a scan. */
function writeInteger(bytes: Buffer, offset: number, value: number): void {
  bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), offset);
  bytes.writeUInt32BE(value >>> 0, offset + 4);
}

function readInteger(bytes: Buffer, offset: number): number {
  return bytes.readUInt32BE(offset) * 0x1_0000_0000 + bytes.readUInt32BE(offset + 4);
}

function writeLease(bytes: Buffer, offset: number, lease: LeaseId): void {
  if (lease === 0n) bytes.fill(0, offset, offset + 8);
  else bytes.writeBigUInt64BE(lease, offset);
}

function readLease(bytes: Buffer, offset: number): LeaseId {
  const zero = bytes.readUInt32BE(offset + 4) === 0 && bytes.readUInt32BE(offset) === 0;
  return zero ? 0n : bytes.readBigUInt64BE(offset);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
