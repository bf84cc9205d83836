import type { TypeMeta } from "./codec.js";
import { DecodeError } from "./codec.js";
import { DecodeLimits } from "./decode-limits.js";
import { ProtoReader } from "./proto-reader.js";
import { writeVarint } from "./string-coding.js";

/**
 * The wrapper around every protobuf object, on the wire and in the store:
 *
 * | bytes | meaning |
 * |---|---|
 * | 6b 38 73 00 | magic |
 * | 0a n { 0a n apiVersion, 12 n kind } | field 1, typeMeta |
 * | 12 n raw | field 2, the message |
 * | 1a n contentEncoding | field 3, written even when empty |
 * | 22 n contentType | field 4, written even when empty |
 */
const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

export interface Envelope {
  readonly typeMeta: TypeMeta;
  /** A view into the input. */
  readonly raw: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
}

export function hasEnvelope(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 4 &&
    bytes[0] === magic[0] &&
    bytes[1] === magic[1] &&
    bytes[2] === magic[2] &&
    bytes[3] === magic[3]
  );
}

export function encodeEnvelope(typeMeta: TypeMeta, raw: Uint8Array): Buffer {
  const apiVersionBytes = Buffer.byteLength(typeMeta.apiVersion);
  const kindBytes = Buffer.byteLength(typeMeta.kind);
  const typeMetaBytes =
    1 + varintBytes(apiVersionBytes) + apiVersionBytes + 1 + varintBytes(kindBytes) + kindBytes;
  const total =
    4 + 1 + varintBytes(typeMetaBytes) + typeMetaBytes + 1 + varintBytes(raw.length) + raw.length + 4;
  const out = Buffer.allocUnsafe(total);
  out.set(magic, 0);
  let at = 4;
  out[at++] = 0x0a;
  at = putVarint(out, at, typeMetaBytes);
  out[at++] = 0x0a;
  at = putVarint(out, at, apiVersionBytes);
  at += out.write(typeMeta.apiVersion, at);
  out[at++] = 0x12;
  at = putVarint(out, at, kindBytes);
  at += out.write(typeMeta.kind, at);
  out[at++] = 0x12;
  at = putVarint(out, at, raw.length);
  out.set(raw, at);
  at += raw.length;
  out[at++] = 0x1a;
  out[at++] = 0;
  out[at++] = 0x22;
  out[at] = 0;
  return out;
}

/** Throws `DecodeError`. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new DecodeError("empty data");
  if (!hasEnvelope(bytes))
    throw new DecodeError(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  if (bytes.length === magic.length) throw new DecodeError("empty body");
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const typeMeta = emptyFields();
  const fields = emptyFields();
  readFields(view, 4, view.length, fields, envelopeFields, (from, to) =>
    readFields(view, from, to, typeMeta, typeFields),
  );
  return {
    typeMeta: { apiVersion: textOf(view, typeMeta, 1), kind: textOf(view, typeMeta, 2) },
    raw: view.subarray(fields.starts[2], fields.ends[2]),
    contentEncoding: textOf(view, fields, 3),
    contentType: textOf(view, fields, 4),
  };
}

function textOf(view: Buffer, { starts, ends }: LastFields, field: 1 | 2 | 3 | 4): string {
  return view.toString("utf8", starts[field], ends[field]);
}

/** Where the last value of each of the fields 1 to 4 is, by number; empty without one. */
interface LastFields {
  readonly starts: [number, number, number, number, number];
  readonly ends: [number, number, number, number, number];
}

const emptyFields = (): LastFields => ({ starts: [0, 0, 0, 0, 0], ends: [0, 0, 0, 0, 0] });

/**
 * A client may repeat a field a million times, so only positions are recorded: for a text the last one, which wins. `onFirst` gets every
 * position of field 1, because the parts of a message are merged.
 */
function readFields(
  view: Buffer,
  from: number,
  to: number,
  { starts, ends }: LastFields,
  names: FieldNames,
  onFirst?: (from: number, to: number) => void,
): void {
  const reader = { at: from };
  let skipper: ProtoReader | undefined;
  while (reader.at < to) {
    const tag = readVarint(view, reader, to);
    const number = Math.floor(tag / 8);
    if (tag % 8 !== 2 || !names.has(number)) {
      skipper ??= new ProtoReader(new DecodeLimits());
      reader.at = skipper.skip(view, reader.at, to, tag, names);
      continue;
    }
    const length = readVarint(view, reader, to);
    const end = reader.at + length;
    if (end > to) throw new DecodeError("unexpected EOF");
    if (number === 1) onFirst?.(reader.at, end);
    starts[number] = reader.at;
    ends[number] = end;
    reader.at = end;
  }
}

type FieldNames = ReadonlyMap<number, string>;

const envelopeFields: FieldNames = new Map([
  [1, "TypeMeta"],
  [2, "Raw"],
  [3, "ContentEncoding"],
  [4, "ContentType"],
]);
const typeFields: FieldNames = new Map([
  [1, "APIVersion"],
  [2, "Kind"],
]);

function readVarint(view: Buffer, reader: { at: number }, to: number): number {
  const first = reader.at < to ? (view[reader.at] ?? 0) : 0x80;
  if (first < 0x80) {
    reader.at++;
    return first;
  }
  let value = 0;
  let factor = 1;
  for (let at = reader.at; at < to && at < reader.at + 8; at++) {
    const byte = view[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) {
      reader.at = at + 1;
      return value;
    }
    factor *= 128;
  }
  throw new DecodeError(reader.at + 8 < to ? "proto: integer overflow" : "unexpected EOF");
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/** Returns where the number ends. */
function putVarint(out: Buffer, from: number, value: number): number {
  const end = from + varintBytes(value);
  writeVarint(value, out, end);
  return end;
}
