import { WireReader } from "../grpc/wire-reader.js";
import { WireWriter } from "../grpc/wire-writer.js";
import { isEmptyRange } from "../key-order.js";
import {
  type Compare,
  type KeyRange,
  type KeyValue,
  type LeaseId,
  noRevision,
  type Operation,
  type OperationResult,
  type RangeRequest,
  type RangeResult,
  type Revision,
  type Transaction,
  type TransactionResult,
  toRevision,
} from "../kv.js";

/**
 * The messages of etcd's v3 interface that this engine uses, each as a function; field numbers as in etcd's `api/etcdserverpb/rpc.proto`
 * and `api/mvccpb/kv.proto`. Requests include gRPC's prefix, responses do not.
 */
export const methods = {
  range: "/etcdserverpb.KV/Range",
  transaction: "/etcdserverpb.KV/Txn",
  compact: "/etcdserverpb.KV/Compact",
  watch: "/etcdserverpb.Watch/Watch",
  grantLease: "/etcdserverpb.Lease/LeaseGrant",
  revokeLease: "/etcdserverpb.Lease/LeaseRevoke",
  keepLeaseAlive: "/etcdserverpb.Lease/LeaseKeepAlive",
  status: "/etcdserverpb.Maintenance/Status",
} as const;

/** The end of a range that means "all keys from here on". */
const toTheLastKey = "\0";

const compareTargets = { version: 0, mod: 2 } as const;
const compareFields = { version: 4, mod: 6 } as const;

export interface WatchEvent {
  readonly type: "put" | "delete";
  readonly kv: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchMessage {
  readonly revision: Revision;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly cancelReason: string;
  readonly compactRevision: number;
  /** More events of the same response follow in the next message. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

export interface MemberStatus {
  readonly revision: Revision;
  readonly version: string;
  readonly dbBytes: number;
}

export function encodeRange(request: RangeRequest): Buffer {
  const writer = new WireWriter(64 + request.start.length * 2);
  writeRange(writer, request);
  return writer.frame();
}

export function decodeRange(bytes: Buffer): RangeResult {
  return readRange(new WireReader(bytes));
}

export function encodeTransaction(transaction: Transaction): Buffer {
  const writer = new WireWriter(512 + bytesOf(transaction));
  writeOperations(writer, 3, transaction.failure);
  writeOperations(writer, 2, transaction.success);
  for (const compare of transaction.compare.toReversed()) writeCompare(writer, compare);
  return writer.frame();
}

/** `transaction` tells which operations the responses answer. */
export function decodeTransaction(bytes: Buffer, transaction: Transaction): TransactionResult {
  const reader = new WireReader(bytes);
  let revision = noRevision;
  let succeeded = false;
  const responses: WireReader[] = [];
  while (reader.next()) {
    if (reader.field === 1) revision = readHeader(reader.message());
    else if (reader.field === 2) succeeded = reader.boolean();
    else if (reader.field === 3) responses.push(reader.message());
    else reader.skip();
  }
  const operations = succeeded ? transaction.success : transaction.failure;
  const results = operations.map((operation, index): OperationResult => {
    const response = responses[index];
    if (response === undefined) throw new RangeError("a transaction's response lacks a result");
    return readOperationResult(response, operation);
  });
  return { succeeded, revision, results };
}

export function encodeCompact(revision: Revision): Buffer {
  const writer = new WireWriter(32);
  writer.integer(1, revision);
  return writer.frame();
}

/** The revision in the header, which every response carries as its first field. */
export function decodeHeader(bytes: Buffer): Revision {
  const reader = new WireReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) return readHeader(reader.message());
    reader.skip();
  }
  return noRevision;
}

export function encodeGrantLease(ttlSeconds: number): Buffer {
  const writer = new WireWriter(32);
  writer.integer(1, ttlSeconds);
  return writer.frame();
}

export function decodeGrantLease(bytes: Buffer): LeaseId {
  return readNumbers(bytes).get(2) ?? 0n;
}

/** Also the request to keep one alive. */
export function encodeLease(lease: LeaseId): Buffer {
  const writer = new WireWriter(32);
  writer.integer(1, lease);
  return writer.frame();
}

/** Seconds; 0 when the lease does not exist. */
export function decodeKeepAlive(bytes: Buffer): number {
  return Math.max(0, Number(readNumbers(bytes).get(3) ?? 0n));
}

export function encodeStatus(): Buffer {
  return new WireWriter(8).frame();
}

export function decodeStatus(bytes: Buffer): MemberStatus {
  const reader = new WireReader(bytes);
  let revision = noRevision;
  let version = "";
  let dbBytes = 0;
  while (reader.next()) {
    if (reader.field === 1) revision = readHeader(reader.message());
    else if (reader.field === 2) version = reader.string();
    else if (reader.field === 3) dbBytes = reader.integer();
    else reader.skip();
  }
  return { revision, version, dbBytes };
}

/** A watch with previous values, periodic progress, and fragments of large revisions. */
export function encodeWatchCreate(range: KeyRange | "everything", startRevision: Revision): Buffer {
  const writer = new WireWriter(128);
  writer.boolean(8, true);
  writer.boolean(6, true);
  writer.boolean(4, true);
  writer.integer(3, startRevision);
  if (range === "everything") {
    writer.string(2, toTheLastKey);
    writer.string(1, "\0");
  } else {
    if (range.end !== undefined) writer.string(2, range.end);
    writer.string(1, range.start);
  }
  writer.nested(1, 0);
  return writer.frame();
}

export function decodeWatch(bytes: Buffer): WatchMessage {
  const reader = new WireReader(bytes);
  let revision = noRevision;
  let created = false;
  let canceled = false;
  let cancelReason = "";
  let compactRevision = 0;
  let fragment = false;
  const events: WatchEvent[] = [];
  while (reader.next()) {
    if (reader.field === 11) events.push(readEvent(reader.message()));
    else if (reader.field === 1) revision = readHeader(reader.message());
    else if (reader.field === 3) created = reader.boolean();
    else if (reader.field === 4) canceled = reader.boolean();
    else if (reader.field === 5) compactRevision = reader.integer();
    else if (reader.field === 6) cancelReason = reader.string();
    else if (reader.field === 7) fragment = reader.boolean();
    else reader.skip();
  }
  return { revision, created, canceled, cancelReason, compactRevision, fragment, events };
}

function writeRange(writer: WireWriter, request: RangeRequest): void {
  writer.boolean(9, request.countOnly);
  writer.boolean(8, request.keysOnly);
  writer.integer(4, request.revision ?? 0);
  writer.integer(3, request.limit ?? 0);
  // An end of 00 would be "all after"; one that equals the start is empty.
  if (request.end !== undefined) writer.string(2, isEmptyRange(request) ? request.start : request.end);
  writer.string(1, request.start);
}

function writeOperations(writer: WireWriter, field: number, operations: readonly Operation[]): void {
  for (const operation of operations.toReversed()) {
    const mark = writer.length;
    switch (operation.kind) {
      case "range":
        writeRange(writer, operation.range);
        writer.nested(1, mark);
        break;
      case "put":
        writer.integer(3, operation.lease ?? 0n);
        writer.bytes(2, operation.value);
        writer.string(1, operation.key);
        writer.nested(2, mark);
        break;
      case "delete":
        if (isEmptyRange(operation.range)) {
          // etcd rejects an end before the start, and reads the end 00 as "all keys from here on". A count avoids both.
          writeRange(writer, { start: operation.range.start, countOnly: true });
          writer.nested(1, mark);
          break;
        }
        if (operation.range.end !== undefined) writer.string(2, operation.range.end);
        writer.string(1, operation.range.start);
        writer.nested(3, mark);
        break;
      default:
        operation satisfies never;
    }
    writer.nested(field, mark);
  }
}

function writeCompare(writer: WireWriter, compare: Compare): void {
  const mark = writer.length;
  const value = compare.target === "mod" ? compare.revision : compare.version;
  // Zeros are left out of messages, but a member of a `oneof` must be present: without it etcd would compare with zero all the same.
  writer.integer(compareFields[compare.target], value);
  writer.string(3, compare.key);
  writer.integer(2, compareTargets[compare.target]);
  writer.nested(1, mark);
}

function readHeader(reader: WireReader): Revision {
  while (reader.next()) {
    if (reader.field === 3) return toRevision(reader.integer());
    reader.skip();
  }
  return noRevision;
}

function readRange(reader: WireReader): RangeResult {
  const kvs: KeyValue[] = [];
  let revision = noRevision;
  let more = false;
  let count = 0;
  while (reader.next()) {
    // Copied, because one kept value would otherwise keep the whole response.
    if (reader.field === 2) kvs.push(readKeyValue(reader.message(), "copy"));
    else if (reader.field === 1) revision = readHeader(reader.message());
    else if (reader.field === 3) more = reader.boolean();
    else if (reader.field === 4) count = reader.integer();
    else reader.skip();
  }
  return { kvs, revision, count, more };
}

function readOperationResult(reader: WireReader, operation: Operation): OperationResult {
  if (!reader.next()) throw new RangeError("an empty result");
  const message = reader.message();
  if (operation.kind === "put") return { kind: "put" };
  if (operation.kind === "range") return { kind: "range", result: readRange(message) };
  let deleted = 0;
  // Field 1 of the union is the count that stands for deleting an empty range.
  while (reader.field === 3 && message.next()) {
    if (message.field === 2) deleted = message.integer();
    else message.skip();
  }
  return { kind: "delete", deleted };
}

function readEvent(reader: WireReader): WatchEvent {
  let type: "put" | "delete" = "put";
  let kv: KeyValue | undefined;
  let previous: KeyValue | undefined;
  while (reader.next()) {
    if (reader.field === 1) type = reader.integer() === 1 ? "delete" : "put";
    else if (reader.field === 2) kv = readKeyValue(reader.message(), "view");
    else if (reader.field === 3) previous = readKeyValue(reader.message(), "view");
    else reader.skip();
  }
  if (kv === undefined) throw new RangeError("an event without a key");
  return { type, kv, previous };
}

function readKeyValue(reader: WireReader, values: "copy" | "view"): KeyValue {
  let key = "";
  let value: Buffer = noValue;
  let createRevision = 0;
  let modRevision = 0;
  let version = 0;
  let lease: LeaseId = 0n;
  while (reader.next()) {
    if (reader.field === 1) key = reader.string();
    else if (reader.field === 2) createRevision = reader.integer();
    else if (reader.field === 3) modRevision = reader.integer();
    else if (reader.field === 4) version = reader.integer();
    else if (reader.field === 5) value = values === "copy" ? Buffer.from(reader.bytes()) : reader.bytes();
    else if (reader.field === 6) lease = reader.bigInteger();
    else reader.skip();
  }
  return {
    key,
    value,
    createRevision: toRevision(createRevision),
    modRevision: toRevision(modRevision),
    version,
    lease,
  };
}

function readNumbers(bytes: Buffer): Map<number, bigint> {
  const reader = new WireReader(bytes);
  const numbers = new Map<number, bigint>();
  while (reader.next()) {
    if (reader.field === 2 || reader.field === 3) numbers.set(reader.field, reader.bigInteger());
    else reader.skip();
  }
  return numbers;
}

const noValue = Buffer.alloc(0);

function bytesOf({ success, failure }: Transaction): number {
  let bytes = 0;
  for (const operation of [...success, ...failure]) {
    if (operation.kind === "put") bytes += operation.value.length + operation.key.length + 32;
  }
  return bytes;
}
