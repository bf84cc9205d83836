import type { TypeMeta } from "./codec.js";
import { DecodeError } from "./codec.js";

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
  at = writeVarint(out, at, typeMetaBytes);
  out[at++] = 0x0a;
  at = writeVarint(out, at, apiVersionBytes);
  at += out.write(typeMeta.apiVersion, at);
  out[at++] = 0x12;
  at = writeVarint(out, at, kindBytes);
  at += out.write(typeMeta.kind, at);
  out[at++] = 0x12;
  at = writeVarint(out, at, raw.length);
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
  if (!hasEnvelope(bytes))
    throw new DecodeError(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let typeMeta: TypeMeta = { apiVersion: "", kind: "" };
  let raw: Uint8Array = new Uint8Array(0);
  let contentEncoding = "";
  let contentType = "";
  for (const { number, start, end } of lengthDelimitedFields(view, 4, view.length)) {
    if (number === 1) typeMeta = decodeTypeMeta(view, start, end);
    else if (number === 2) raw = view.subarray(start, end);
    else if (number === 3) contentEncoding = view.toString("utf8", start, end);
    else if (number === 4) contentType = view.toString("utf8", start, end);
  }
  return { typeMeta, raw, contentEncoding, contentType };
}

function decodeTypeMeta(view: Buffer, from: number, to: number): TypeMeta {
  let apiVersion = "";
  let kind = "";
  for (const { number, start, end } of lengthDelimitedFields(view, from, to)) {
    if (number === 1) apiVersion = view.toString("utf8", start, end);
    else if (number === 2) kind = view.toString("utf8", start, end);
  }
  return { apiVersion, kind };
}

interface FieldSpan {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

function* lengthDelimitedFields(view: Buffer, from: number, to: number): Iterable<FieldSpan> {
  let at = from;
  while (at < to) {
    const tag = readVarint(view, at, to);
    if ((tag.value & 7) !== 2) throw new DecodeError("malformed envelope: unexpected wire type");
    const length = readVarint(view, tag.next, to);
    const end = length.next + length.value;
    if (end > to) throw new DecodeError("malformed envelope: unexpected end of data");
    yield { number: tag.value >>> 3, start: length.next, end };
    at = end;
  }
}

function readVarint(view: Buffer, from: number, to: number): { value: number; next: number } {
  let value = 0;
  let factor = 1;
  for (let at = from; at < to && at < from + 8; at++) {
    const byte = view[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next: at + 1 };
    factor *= 128;
  }
  throw new DecodeError("malformed envelope: unexpected end of data");
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

function writeVarint(out: Buffer, from: number, value: number): number {
  let at = from;
  let rest = value;
  while (rest >= 128) {
    out[at++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  out[at++] = rest;
  return at;
}
