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
import type { ProtoReader } from "./proto-reader.js";
import { type MessageParts, partsOf, readFields, specialShape } from "./special-fields.js";

// Read the protobuf messages of special types from the bytes `[start, end)`, and from the further parts in `rest`.

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

export function readDuration(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  rest: MessageParts | undefined,
): string {
  return formatDuration(BigInt(readFields(reader, buffer, start, end, durationFields, rest).ints[0]));
}

export function readQuantity(
  reader: ProtoReader,
  quantities: CanonicalQuantities,
  buffer: Buffer,
  start: number,
  end: number,
  rest: MessageParts | undefined,
): string {
  const text = readText(
    reader,
    buffer,
    readFields(reader, buffer, start, end, quantityFields, rest).parts[0],
  );
  if (text === undefined) return "0";
  // Parses a second time to get the reason.
  return quantities.of(text) ?? refuse(() => canonicalQuantity(text));
}

export function readIntOrString(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  rest: MessageParts | undefined,
): number | string {
  const { ints, parts } = readFields(reader, buffer, start, end, intOrStringFields, rest);
  return Number(ints[0]) === 0 ? reader.toInt32(ints[1]) : (readText(reader, buffer, parts[2]) ?? "");
}

export function readRaw(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  rest: MessageParts | undefined,
): JsonValue | undefined {
  return readJson(reader, buffer, readFields(reader, buffer, start, end, rawFields, rest).parts[0]);
}

/** Field sets make up much of an object's bytes and of its decoding time, so they may stay text. */
export function readFieldSet(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  rest: MessageParts | undefined,
): JsonValue | undefined {
  if (!reader.leavesFieldSets) return readRaw(reader, buffer, start, end, rest);
  const text = readText(reader, buffer, readFields(reader, buffer, start, end, rawFields, rest).parts[0]);
  if (text === undefined || text === "") return undefined;
  return isAsPrinted(text) ? unparsedJson(text) : (parseJson(text) ?? undefined);
}

export function readUnknown(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  rest: MessageParts | undefined,
): JsonValue | undefined {
  return readJson(reader, buffer, readFields(reader, buffer, start, end, unknownFields, rest).parts[1]);
}

interface SchemaReader {
  readProto(
    buffer: Buffer,
    start: number,
    end: number,
    reader: ProtoReader,
    rest: MessageParts | undefined,
  ): object;
}

/** A JSON schema, or the alternative that may replace it. */
export function readSchemaOr(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  schemas: SchemaReader,
  special: keyof typeof schemaOrFields,
  rest: MessageParts | undefined,
): unknown {
  const { ints, parts } = readFields(reader, buffer, start, end, schemaOrFields[special], rest);
  const readSchema = ([from = 0, to = 0, ...others]: MessageParts): object =>
    schemas.readProto(buffer, from, to, reader, others);
  if (special === "JSONSchemaPropsOrBool") return parts[1] ? readSchema(parts[1]) : ints[0] !== 0;
  const schema = parts[0] && readSchema(parts[0]);
  if (parts[1] === undefined) return schema;
  return partsOf(parts[1]).map(([from, to]) =>
    special === "JSONSchemaPropsOrArray"
      ? schemas.readProto(buffer, from, to, reader, undefined)
      : reader.readString(buffer, from, to),
  );
}

export function readStringList(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  rest: MessageParts | undefined,
): string[] {
  const { parts } = readFields(reader, buffer, start, end, stringListFields, rest);
  return partsOf(parts[0] ?? []).map(([from, to]) => reader.readString(buffer, from, to));
}

/** The last of the values. */
function readText(reader: ProtoReader, buffer: Buffer, values: MessageParts | undefined): string | undefined {
  if (values === undefined) return undefined;
  return reader.readString(buffer, values.at(-2) ?? 0, values.at(-1) ?? 0);
}

function readJson(
  reader: ProtoReader,
  buffer: Buffer,
  values: MessageParts | undefined,
): JsonValue | undefined {
  const text = readText(reader, buffer, values);
  return text === undefined || text === "" ? undefined : (parseJson(text) ?? undefined);
}

const timeFields = specialShape(["Seconds", "int"], ["Nanos", "int"]);
const durationFields = specialShape(["Duration", "int"]);
const quantityFields = specialShape(["String_", "span"]);
const intOrStringFields = specialShape(["Type", "int"], ["IntVal", "int"], ["StrVal", "span"]);
const rawFields = specialShape(["Raw", "span"]);
const stringListFields = specialShape(["Items", "span"]);
const unknownFields = specialShape(["TypeMeta", "span"], ["Raw", "span"], ["ContentEncoding", "span"]);
const schemaOrFields = {
  JSONSchemaPropsOrBool: specialShape(["Allows", "int"], ["Schema", "span"]),
  JSONSchemaPropsOrArray: specialShape(["Schema", "span"], ["JSONSchemas", "span"]),
  JSONSchemaPropsOrStringArray: specialShape(["Schema", "span"], ["Property", "span"]),
};

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
