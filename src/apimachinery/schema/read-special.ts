import type { Buffer } from "node:buffer";
import { messageOf } from "../errors/message-of.js";
import { parseJson } from "../json/json-parse.js";
import { unparsedJson } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";
import { formatDuration } from "../values/duration.js";
import { canonicalQuantity } from "../values/quantity.js";
import { formatMicroTime, formatTime, lastTimeSeconds, zeroTimeSeconds } from "../values/time.js";
import type { CanonicalQuantities } from "./canonical-quantities.js";
import { DecodeError } from "./codec.js";
import { noFields, type ProtoReader } from "./proto-reader.js";

// Read the protobuf messages of special types from the bytes `[start, end)`.

export function readTime(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
): string | undefined {
  if (start === end) return undefined;
  const seconds = secondsInRange(readFields(reader, buffer, start, end, timeFields).ints[0]);
  return seconds === zeroTimeSeconds ? undefined : formatTime(seconds);
}

export function readMicroTime(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
): string | undefined {
  if (start === end) return undefined;
  const { ints } = readFields(reader, buffer, start, end, timeFields);
  const seconds = secondsInRange(ints[0]);
  const nanos = Number(ints[1]);
  if (nanos < 0 || nanos >= 1e9) throw new DecodeError(`proto: ${nanos} nanoseconds are no part of a second`);
  return seconds === zeroTimeSeconds && nanos < 1000 ? undefined : formatMicroTime({ seconds, nanos });
}

export function readDuration(reader: ProtoReader, buffer: Buffer, start: number, end: number): string {
  return formatDuration(BigInt(readFields(reader, buffer, start, end, durationFields).ints[0]));
}

export function readQuantity(
  reader: ProtoReader,
  quantities: CanonicalQuantities,
  buffer: Buffer,
  start: number,
  end: number,
): string {
  const span = readFields(reader, buffer, start, end, quantityFields).spans[0];
  if (span === undefined) return "0";
  const text = reader.readString(buffer, span.start, span.end);
  // Parses a second time to get the reason.
  return quantities.of(text) ?? refuse(() => canonicalQuantity(text));
}

export function readIntOrString(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
): number | string {
  const { ints, spans } = readFields(reader, buffer, start, end, intOrStringFields);
  if (Number(ints[0]) === 0) return reader.toInt32(ints[1]);
  return spans[2] === undefined ? "" : reader.readString(buffer, spans[2].start, spans[2].end);
}

export function readRaw(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
): JsonValue | undefined {
  return readSpan(reader, buffer, readFields(reader, buffer, start, end, rawFields).spans[0]);
}

/** Field sets make up much of an object's bytes and of its decoding time, so they may stay text. */
export function readFieldSet(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
): JsonValue | undefined {
  if (!reader.leavesFieldSets) return readRaw(reader, buffer, start, end);
  const span = readFields(reader, buffer, start, end, rawFields).spans[0];
  if (span === undefined || span.start === span.end) return undefined;
  const text = reader.readString(buffer, span.start, span.end);
  return isAsPrinted(text) ? unparsedJson(text) : (parseJson(text) ?? undefined);
}

export function readUnknown(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
): JsonValue | undefined {
  return readSpan(reader, buffer, readFields(reader, buffer, start, end, unknownFields).spans[1]);
}

function readSpan(reader: ProtoReader, buffer: Buffer, span: Span | undefined): JsonValue | undefined {
  return span === undefined ? undefined : readJson(reader, buffer, span.start, span.end);
}

/** A JSON schema, or the alternative that may replace it. */
export function readSchemaOr(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  schemas: { readProto(buffer: Buffer, start: number, end: number, reader: ProtoReader): object },
  special: "JSONSchemaPropsOrBool" | "JSONSchemaPropsOrArray" | "JSONSchemaPropsOrStringArray",
): unknown {
  let allows = false;
  let schema: object | undefined;
  const list: unknown[] = [];
  let at = start;
  while (at < end) {
    const tag = reader.readLength(buffer, at, end);
    at = reader.position;
    if (tag === 0x08 && special === "JSONSchemaPropsOrBool") {
      allows = reader.readVarint(buffer, at, end) !== 0;
      at = reader.position;
      continue;
    }
    if (tag !== 0x0a && tag !== 0x12) {
      at = reader.skip(buffer, at, end, tag, noFields);
      continue;
    }
    const length = reader.readLength(buffer, at, end);
    const from = reader.position;
    at = from + length;
    if (at > end) reader.truncated();
    if (special === "JSONSchemaPropsOrStringArray" && tag === 0x12)
      list.push(reader.readString(buffer, from, at));
    else if (special === "JSONSchemaPropsOrArray" && tag === 0x12) {
      list.push(schemas.readProto(buffer, from, at, reader));
    } else schema = schemas.readProto(buffer, from, at, reader);
  }
  if (special === "JSONSchemaPropsOrBool") return schema ?? allows;
  return list.length > 0 ? list : schema;
}

export function readStringList(reader: ProtoReader, buffer: Buffer, start: number, end: number): string[] {
  const list: string[] = [];
  let at = start;
  while (at < end) {
    const tag = reader.readLength(buffer, at, end);
    at = reader.position;
    if (tag !== 0x0a) {
      at = reader.skip(buffer, at, end, tag, noFields);
      continue;
    }
    const length = reader.readLength(buffer, at, end);
    const from = reader.position;
    at = from + length;
    if (at > end) reader.truncated();
    list.push(reader.readString(buffer, from, at));
  }
  return list;
}

function readJson(reader: ProtoReader, buffer: Buffer, start: number, end: number): JsonValue | undefined {
  if (start === end) return undefined;
  return parseJson(reader.readString(buffer, start, end)) ?? undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface SpecialFields {
  readonly ints: [number | bigint, number | bigint, number | bigint];
  readonly spans: [Span | undefined, Span | undefined, Span | undefined];
}

/** The fields 1 to 3 of a special type. */
interface SpecialShape {
  /** The bits of their tags. */
  readonly tags: number;
  readonly names: ReadonlyMap<number, string>;
}

function specialShape(...fields: readonly (readonly [name: string, type: "int" | "span"])[]): SpecialShape {
  const tags = fields.map(([, type], index) => (index + 1) * 8 + (type === "int" ? 0 : 2));
  return {
    tags: tags.reduce((bits, tag) => bits | (1 << tag), 0),
    names: new Map(fields.map(([name], index) => [index + 1, name])),
  };
}

const timeFields = specialShape(["Seconds", "int"], ["Nanos", "int"]);
const durationFields = specialShape(["Duration", "int"]);
const quantityFields = specialShape(["String_", "span"]);
const intOrStringFields = specialShape(["Type", "int"], ["IntVal", "int"], ["StrVal", "span"]);
const rawFields = specialShape(["Raw", "span"]);
const unknownFields = specialShape(["TypeMeta", "span"], ["Raw", "span"], ["ContentEncoding", "span"]);

/** The fields of a special type, as integers and as byte ranges. */
function readFields(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  { tags, names }: SpecialShape,
): SpecialFields {
  const fields: SpecialFields = { ints: [0, 0, 0], spans: [undefined, undefined, undefined] };
  let at = start;
  while (at < end) {
    const tag = reader.readLength(buffer, at, end);
    at = reader.position;
    const index = Math.floor(tag / 8) - 1;
    if (tag > 31 || ((tags >> tag) & 1) === 0) {
      at = reader.skip(buffer, at, end, tag, names);
    } else if (tag % 8 === 0) {
      fields.ints[index] = reader.readVarint(buffer, at, end);
      at = reader.position;
    } else {
      const length = reader.readLength(buffer, at, end);
      const from = reader.position;
      at = from + length;
      if (at > end) reader.truncated();
      fields.spans[index] = { start: from, end: at };
    }
  }
  return fields;
}

/** Refuses times outside the years 1 to 9999, which cannot be written as text. */
function secondsInRange(value: number | bigint): number {
  const seconds = Number(value);
  if (seconds >= zeroTimeSeconds && seconds <= lastTimeSeconds) return seconds;
  throw new DecodeError(`proto: time ${value} is out of range`);
}

function refuse(parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    throw new DecodeError(messageOf(error));
  }
}

/** Whether the text certainly equals what `printJson` prints: no white space, and no characters that it escapes. */
function isAsPrinted(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  // Several times faster than a regular expression.
  for (const character of neverPrinted) if (text.includes(character)) return false;
  return true;
}

const neverPrinted = [" ", "\t", "\n", "\r", "<", ">", "&", "\u2028", "\u2029"];
