import { Buffer } from "node:buffer";
import { formatDuration, parseDuration } from "../duration.js";
import { parseJson } from "../json-parse.js";
import { isKept, printJson, printJsonString, unreadJson } from "../json-print.js";
import type { JsonValue } from "../json-value.js";
import { canonicalQuantity } from "../quantity.js";
import {
  canonicalMicroTimeSeconds,
  canonicalTimeSeconds,
  formatMicroTime,
  formatTime,
  lastTimeSeconds,
  parseMicroTime,
  parseTime,
  zeroTimeSeconds,
} from "../time.js";
import { DecodeError, TooManyValues, type TypeMeta } from "./codec.js";
import {
  createStringReader,
  writeBase64,
  writeDouble,
  writeInt,
  writeString,
  writeVarint,
} from "./string-coding.js";

/** Distinct texts of quantities whose canonical form is remembered; beyond it the memory starts anew. */
const quantitiesRemembered = 8192;

/** Larger than nearly every object. */
const initialBufferBytes = 64 * 1024;
/** A larger one was needed for a rare object, and is given back. */
const keptBufferBytesMax = 4 * 1024 * 1024;

/**
 * How deep messages of a recursive type may nest. The stack has room for more than this (one level of the
 * only recursive type, JSON schemas, takes about 1 KB), and no real schema comes near it.
 */
const recursionMax = 400;

/** Thrown by generated decoders when a value is not of the plain expected form; never leaves the codec. */
export const mismatch = Symbol("value is not of the plain form");

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * What generated functions call, and the state they share: one per registry. Decoding and encoding are
 * synchronous, so that state is in use by one call at a time.
 */
export class CodecRuntime {
  /** Set by decoders that met a field the type does not have. */
  sawUnknownField = false;
  /** Whether a reader leaves field sets as they are written, to be printed again. */
  leavesFieldSets = false;
  /** How many more quantities may be read. */
  quantitiesLeft = Number.MAX_SAFE_INTEGER;
  /** How many more values with a length may be read. */
  valuesLeft = Number.MAX_SAFE_INTEGER;
  /** Where the last out-of-line read of a decoder ended. */
  position = 0;
  /** The entry that `readEntry` read last. */
  entryKey = "";
  entryStart = 0;
  entryEnd = 0;
  #depth = 0;
  readonly #quantities = new Map<string, string>();

  readonly emptyObject: object = Object.freeze({});
  readonly mismatch = mismatch;
  readonly printString = printText;
  readonly printJson = printJson;
  readonly writeString = writeString;
  readonly writeVarint = writeVarint;
  readonly writeInt = writeInt;
  readonly writeDouble = writeDouble;
  readonly writeBase64 = writeBase64;
  readonly readString = createStringReader();
  readonly cloneJson = cloneJson;
  readonly sortedKeys = sortedKeys;
  readonly put = put;

  readonly isEmpty = isEmpty;
  #buffer = Buffer.allocUnsafeSlow(initialBufferBytes);

  /**
   * Runs a writer (see `writeString`) and returns what it wrote, copied. A writer that ran out of room ends at a
   * negative position, which says how much was missing.
   */
  encode(write: (buffer: Buffer, end: number) => number): Buffer {
    let end = this.#buffer.length;
    let start = write(this.#buffer, end);
    if (start < 0) {
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(2 * end, end - start));
      end = this.#buffer.length;
      start = write(this.#buffer, end);
    }
    const bytes = Buffer.allocUnsafe(end - start);
    this.#buffer.copy(bytes, 0, start, end);
    if (end > keptBufferBytesMax) this.#buffer = Buffer.allocUnsafeSlow(initialBufferBytes);
    return bytes;
  }

  begin(): void {
    this.sawUnknownField = false;
    this.#depth = 0;
  }

  enter(): void {
    if (++this.#depth > recursionMax) throw new DecodeError("exceeded max depth");
  }

  leave(): void {
    this.#depth--;
  }

  // Values of special types, from JSON. They throw `mismatch` when the value needs the slow decoder.

  quantity(value: unknown): string {
    this.countQuantity();
    const text = typeof value === "string" ? value : typeof value === "number" ? `${value}` : undefined;
    if (text === undefined) throw mismatch;
    return this.#quantities.get(text) ?? this.#canonicalQuantity(text);
  }

  /** As it is when it is no quantity: encoders must be able to show an object that is not valid. */
  quantityOrAsIs(text: string): string {
    const known = this.#quantities.get(text);
    if (known !== undefined) return known;
    try {
      return this.#canonicalQuantity(text);
    } catch (error) {
      if (error === mismatch) return text;
      throw error;
    }
  }

  #canonicalQuantity(text: string): string {
    let canonical: string;
    try {
      canonical = canonicalQuantity(text.trim());
    } catch {
      throw mismatch;
    }
    // Keys of unbounded length would defeat the bound on their number.
    if (text.length <= 32) {
      if (this.#quantities.size >= quantitiesRemembered) this.#quantities.clear();
      this.#quantities.set(text, canonical);
    }
    return canonical;
  }

  /** Undefined for the zero time. */
  time(value: unknown): string | undefined {
    if (typeof value !== "string") throw mismatch;
    const seconds = canonicalTimeSeconds(value);
    if (seconds !== undefined) return seconds === zeroTimeSeconds ? undefined : value;
    try {
      const parsed = parseTime(value).seconds;
      return parsed === zeroTimeSeconds ? undefined : formatTime(parsed);
    } catch {
      throw mismatch;
    }
  }

  microTime(value: unknown): string | undefined {
    if (typeof value !== "string") throw mismatch;
    const seconds = canonicalMicroTimeSeconds(value);
    if (seconds !== undefined && seconds !== zeroTimeSeconds) return value;
    try {
      const instant = parseMicroTime(value);
      return instant.seconds === zeroTimeSeconds && instant.nanos < 1000
        ? undefined
        : formatMicroTime(instant);
    } catch {
      throw mismatch;
    }
  }

  duration(value: unknown): string {
    const nanos = typeof value === "string" ? parseDuration(value) : undefined;
    if (nanos === undefined) throw mismatch;
    return formatDuration(nanos);
  }

  bytes(value: unknown): string {
    if (typeof value !== "string" || !base64.test(value)) throw mismatch;
    // The last character before the padding may carry bits that stand for nothing.
    return value.endsWith("=") ? Buffer.from(value, "base64").toString("base64") : value;
  }

  int64(value: unknown): bigint {
    if (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value) throw mismatch;
    return value;
  }

  stringList(value: unknown): string[] {
    if (!Array.isArray(value)) throw mismatch;
    for (const item of value) if (typeof item !== "string") throw mismatch;
    return value.slice();
  }

  /** A copy; undefined for an empty one where that is as good as absent. */
  stringMap(value: unknown, emptyIsAbsent: boolean): { [key: string]: string } | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw mismatch;
    const map = value as { [key: string]: string };
    const keys = Object.keys(map);
    for (const key of keys) if (typeof map[key] !== "string") throw mismatch;
    return keys.length === 0 && emptyIsAbsent ? undefined : copyMembers(map, keys);
  }

  /** As `stringMap`, of a map that is known to be one. */
  cloneStringMap(map: { [key: string]: string }, emptyIsAbsent: boolean): object | undefined {
    const keys = Object.keys(map);
    return keys.length === 0 && emptyIsAbsent ? undefined : copyMembers(map, keys);
  }

  // JSON text of whole fields.

  printStringList(list: readonly string[]): string {
    let out = "";
    for (const item of list) out += out === "" ? printText(item) : `,${printText(item)}`;
    return `[${out}]`;
  }

  printStringMap(map: { readonly [key: string]: string }): string {
    let out = "";
    for (const key of sortedKeys(map)) {
      const entry = `${printText(key)}:${printText(map[key])}`;
      out += out === "" ? entry : `,${entry}`;
    }
    return `{${out}}`;
  }

  /** An object of these members, after those of its type. */
  printWithType({ kind, apiVersion }: TypeMeta, members: string): string {
    const head = `{"kind":${printJsonString(kind)},"apiVersion":${printJsonString(apiVersion)}`;
    return members === "" ? `${head}}` : `${head},${members}}`;
  }

  // Protobuf, backwards (see `writeString`).

  /** The message of a time: empty for none. */
  writeTime(text: string | null | undefined, buffer: Buffer, position: number): number {
    if (!text) return position;
    const seconds = canonicalTimeSeconds(text) ?? secondsOf(text);
    if (seconds === zeroTimeSeconds) return position;
    buffer[position - 1] = 0;
    buffer[position - 2] = 0x10;
    const at = writeInt(seconds, buffer, position - 2);
    buffer[at - 1] = 0x08;
    return at - 1;
  }

  writeMicroTime(text: string | null | undefined, buffer: Buffer, position: number): number {
    if (!text) return position;
    const canonical = canonicalMicroTimeSeconds(text);
    const instant =
      canonical === undefined
        ? microsOf(text)
        : { seconds: canonical, nanos: Number(text.slice(20, 26)) * 1000 };
    if (instant.seconds === zeroTimeSeconds && instant.nanos === 0) return position;
    let at = writeVarint(instant.nanos, buffer, position);
    buffer[--at] = 0x10;
    at = writeInt(instant.seconds, buffer, at);
    buffer[--at] = 0x08;
    return at;
  }

  writeDuration(text: string | null | undefined, buffer: Buffer, position: number): number {
    const at = writeInt(parseDuration(text ?? "0s") ?? 0n, buffer, position);
    buffer[at - 1] = 0x08;
    return at - 1;
  }

  writeQuantity(text: string | null | undefined, buffer: Buffer, position: number): number {
    const at = writeString(text ? this.quantityOrAsIs(text) : "0", buffer, position);
    buffer[at - 1] = 0x0a;
    return at - 1;
  }

  writeIntOrString(value: number | string | null | undefined, buffer: Buffer, position: number): number {
    const isText = typeof value === "string";
    let at = writeString(isText ? value : "", buffer, position);
    buffer[--at] = 0x1a;
    at = writeInt(isText ? 0 : (value ?? 0), buffer, at);
    buffer[--at] = 0x10;
    buffer[--at] = isText ? 1 : 0;
    buffer[--at] = 0x08;
    return at;
  }

  /** The message of a raw extension or any JSON: its text in field 1, empty for none. */
  writeRaw(value: JsonValue | undefined, htmlEscape: boolean, buffer: Buffer, position: number): number {
    if (value === undefined || value === null) return position;
    const at = writeString(printJson(value, { htmlEscape }), buffer, position);
    buffer[at - 1] = 0x0a;
    return at - 1;
  }

  /** The envelope of an object of unknown type, which here is always JSON. */
  writeUnknown(value: JsonValue | undefined, buffer: Buffer, position: number): number {
    let at = writeString("application/json", buffer, position);
    buffer[--at] = 0x22;
    buffer[--at] = 0;
    buffer[--at] = 0x1a;
    if (value !== undefined && value !== null) {
      at = writeString(printJson(value), buffer, at);
      buffer[--at] = 0x12;
    }
    buffer[--at] = 0;
    buffer[--at] = 0x0a;
    return at;
  }

  writeStringList(list: readonly string[], buffer: Buffer, position: number): number {
    let at = position;
    for (let index = list.length - 1; index >= 0; index--) {
      at = writeString(list[index] ?? "", buffer, at);
      buffer[--at] = 0x0a;
    }
    return at;
  }

  writeStringMap(
    map: { readonly [key: string]: string },
    tag: number,
    buffer: Buffer,
    position: number,
  ): number {
    const keys = sortedKeys(map);
    let at = position;
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index] ?? "";
      const end = at;
      at = writeString(map[key] ?? "", buffer, at);
      buffer[--at] = 0x12;
      at = writeString(key, buffer, at);
      buffer[--at] = 0x0a;
      at = writeVarint(end - at, buffer, at);
      at = writeVarint(tag, buffer, at);
    }
    return at;
  }

  // Protobuf reading: the result is returned, and `position` is what follows it.

  /** A varint that begins before `position` was counted on: an exact number, or a bigint beyond 2^53. */
  readVarint(buffer: Buffer, start: number, end: number): number | bigint {
    let at = start;
    let low = 0;
    let scale = 1;
    // Seven groups of seven bits are exact in a number.
    for (let group = 0; group < 7; group++) {
      const byte = at < end ? (buffer[at++] ?? 0) : this.#truncated();
      low += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.position = at;
        return low;
      }
      scale *= 128;
    }
    let value = BigInt(low);
    for (let group = 7n; group < 10n; group++) {
      const byte = at < end ? (buffer[at++] ?? 0) : this.#truncated();
      value |= BigInt(byte & 0x7f) << (group * 7n);
      if (byte < 0x80) {
        this.position = at;
        const signed = BigInt.asIntN(64, value);
        const number = Number(signed);
        return Number.isSafeInteger(number) ? number : signed;
      }
    }
    throw new DecodeError("proto: integer overflow");
  }

  /** A tag or a length. */
  readLength(buffer: Buffer, start: number, end: number): number {
    const value = this.readVarint(buffer, start, end);
    if (typeof value !== "number" || value < 0)
      throw new DecodeError("proto: negative length found during unmarshaling");
    return value;
  }

  /** `value` is undefined when the bytes ended within it. */
  toInt32(value: number | bigint | undefined): number {
    if (value === undefined) return this.#truncated();
    return typeof value === "number" && value >= -0x80000000 && value < 0x80000000
      ? value | 0
      : Number(BigInt.asIntN(32, BigInt(value)));
  }

  readDouble(buffer: Buffer, start: number, end: number): number {
    if (start + 8 > end) this.#truncated();
    return buffer.readDoubleLE(start);
  }

  readBytes(buffer: Buffer, start: number, end: number): string {
    return buffer.toString("base64", start, end);
  }

  tooManyValues(): never {
    throw new TooManyValues("values");
  }

  /** Called with each quantity that is read. */
  countQuantity(): void {
    if (--this.quantitiesLeft < 0) throw new TooManyValues("quantities");
  }

  truncated(): never {
    return this.#truncated();
  }

  #truncated(): never {
    throw new DecodeError("unexpected EOF");
  }

  /** What follows the value of a field that the type does not have; `start` is behind its tag. */
  skip(buffer: Buffer, start: number, end: number, tag: number, known: ReadonlyMap<number, string>): number {
    const number = Math.floor(tag / 8);
    const name = known.get(number);
    if (name !== undefined) {
      throw new DecodeError(`proto: wrong wireType = ${tag % 8} for field ${name}`);
    }
    let at = start;
    // Groups may nest to any depth, so they are counted instead of followed.
    let groups = 0;
    let wireType = tag % 8;
    let fieldNumber = number;
    for (;;) {
      if (fieldNumber === 0) throw new DecodeError(`proto: illegal tag 0 (wire type ${wireType})`);
      switch (wireType) {
        case 0:
          this.readVarint(buffer, at, end);
          at = this.position;
          break;
        case 1:
          at += 8;
          break;
        case 2: {
          const length = this.readLength(buffer, at, end);
          at = this.position + length;
          break;
        }
        case 3:
          groups++;
          break;
        case 4:
          if (groups === 0) throw new DecodeError("proto: unexpected end of group");
          groups--;
          break;
        case 5:
          at += 4;
          break;
        default:
          throw new DecodeError(`proto: illegal wireType ${wireType}`);
      }
      if (at > end) this.#truncated();
      if (groups === 0) return at;
      const next = this.readLength(buffer, at, end);
      at = this.position;
      wireType = next % 8;
      fieldNumber = Math.floor(next / 8);
    }
  }

  /** Reads a map's entry; its value is at `[entryStart, entryEnd)`, empty when absent. */
  readEntry(buffer: Buffer, start: number, end: number): void {
    let at = start;
    this.entryKey = "";
    this.entryStart = end;
    this.entryEnd = end;
    while (at < end) {
      const tag = this.readLength(buffer, at, end);
      at = this.position;
      if (tag !== 0x0a && tag !== 0x12) {
        at = this.skip(buffer, at, end, tag, noFields);
        continue;
      }
      const length = this.readLength(buffer, at, end);
      const from = this.position;
      at = from + length;
      if (at > end) this.#truncated();
      if (tag === 0x0a) this.entryKey = this.readString(buffer, from, at);
      else {
        this.entryStart = from;
        this.entryEnd = at;
      }
    }
  }

  /** Reads the fields 1 to 3 of a special type's message into `first`, `second` and `third`. */
  #readSpecial(buffer: Buffer, start: number, end: number): SpecialFields {
    const fields: SpecialFields = { ints: [0, 0, 0], spans: [undefined, undefined, undefined] };
    let at = start;
    while (at < end) {
      const tag = this.readLength(buffer, at, end);
      at = this.position;
      const index = Math.floor(tag / 8) - 1;
      if (index >= 0 && index < 3 && tag % 8 === 0) {
        fields.ints[index] = this.readVarint(buffer, at, end);
        at = this.position;
      } else if (index >= 0 && index < 3 && tag % 8 === 2) {
        const length = this.readLength(buffer, at, end);
        const from = this.position;
        at = from + length;
        if (at > end) this.#truncated();
        fields.spans[index] = { start: from, end: at };
      } else {
        at = this.skip(buffer, at, end, tag, noFields);
      }
    }
    return fields;
  }

  readTime(buffer: Buffer, start: number, end: number): string | undefined {
    if (start === end) return undefined;
    const seconds = secondsInRange(this.#readSpecial(buffer, start, end).ints[0]);
    return seconds === zeroTimeSeconds ? undefined : formatTime(seconds);
  }

  readMicroTime(buffer: Buffer, start: number, end: number): string | undefined {
    if (start === end) return undefined;
    const { ints } = this.#readSpecial(buffer, start, end);
    const seconds = secondsInRange(ints[0]);
    const nanos = Number(ints[1]);
    if (nanos < 0 || nanos >= 1e9)
      throw new DecodeError(`proto: ${nanos} nanoseconds are no part of a second`);
    return seconds === zeroTimeSeconds && nanos < 1000 ? undefined : formatMicroTime({ seconds, nanos });
  }

  readDuration(buffer: Buffer, start: number, end: number): string {
    return formatDuration(BigInt(this.#readSpecial(buffer, start, end).ints[0]));
  }

  readQuantity(buffer: Buffer, start: number, end: number): string {
    this.countQuantity();
    const span = this.#readSpecial(buffer, start, end).spans[0];
    if (span === undefined) return "0";
    const text = this.readString(buffer, span.start, span.end);
    const known = this.#quantities.get(text);
    if (known !== undefined) return known;
    try {
      return this.#canonicalQuantity(text);
    } catch {
      // Asks once more, for the reason.
      throw new DecodeError(reasonOf(() => canonicalQuantity(text)));
    }
  }

  readIntOrString(buffer: Buffer, start: number, end: number): number | string {
    const { ints, spans } = this.#readSpecial(buffer, start, end);
    if (Number(ints[0]) === 0) return this.toInt32(ints[1]);
    return spans[2] === undefined ? "" : this.readString(buffer, spans[2].start, spans[2].end);
  }

  readRaw(buffer: Buffer, start: number, end: number): JsonValue | undefined {
    const span = this.#readSpecial(buffer, start, end).spans[0];
    return span === undefined ? undefined : this.#readJson(buffer, span.start, span.end);
  }

  /** A field set, which is a good part of an object's bytes and of the work of reading it. */
  readFieldSet(buffer: Buffer, start: number, end: number): JsonValue | undefined {
    if (!this.leavesFieldSets) return this.readRaw(buffer, start, end);
    const span = this.#readSpecial(buffer, start, end).spans[0];
    if (span === undefined || span.start === span.end) return undefined;
    const text = this.readString(buffer, span.start, span.end);
    return isAsPrinted(text) ? unreadJson(text) : (parseJson(text) ?? undefined);
  }

  readUnknown(buffer: Buffer, start: number, end: number): JsonValue | undefined {
    const span = this.#readSpecial(buffer, start, end).spans[1];
    return span === undefined ? undefined : this.#readJson(buffer, span.start, span.end);
  }

  #readJson(buffer: Buffer, start: number, end: number): JsonValue | undefined {
    if (start === end) return undefined;
    return parseJson(buffer.subarray(start, end)) ?? undefined;
  }

  /** A JSON schema, or what stands in its place. */
  readSchemaOr(
    buffer: Buffer,
    start: number,
    end: number,
    schemas: { readProto(buffer: Buffer, start: number, end: number, runtime: CodecRuntime): object },
    special: "JSONSchemaPropsOrBool" | "JSONSchemaPropsOrArray" | "JSONSchemaPropsOrStringArray",
  ): unknown {
    let allows = false;
    let schema: object | undefined;
    const list: unknown[] = [];
    let at = start;
    while (at < end) {
      const tag = this.readLength(buffer, at, end);
      at = this.position;
      if (tag === 0x08 && special === "JSONSchemaPropsOrBool") {
        allows = this.readVarint(buffer, at, end) !== 0;
        at = this.position;
        continue;
      }
      if (tag !== 0x0a && tag !== 0x12) {
        at = this.skip(buffer, at, end, tag, noFields);
        continue;
      }
      const length = this.readLength(buffer, at, end);
      const from = this.position;
      at = from + length;
      if (at > end) this.#truncated();
      if (special === "JSONSchemaPropsOrStringArray" && tag === 0x12)
        list.push(this.readString(buffer, from, at));
      else if (special === "JSONSchemaPropsOrArray" && tag === 0x12) {
        list.push(schemas.readProto(buffer, from, at, this));
      } else schema = schemas.readProto(buffer, from, at, this);
    }
    if (special === "JSONSchemaPropsOrBool") return schema ?? allows;
    return list.length > 0 ? list : schema;
  }

  readStringList(buffer: Buffer, start: number, end: number): string[] {
    const list: string[] = [];
    let at = start;
    while (at < end) {
      const tag = this.readLength(buffer, at, end);
      at = this.position;
      if (tag !== 0x0a) {
        at = this.skip(buffer, at, end, tag, noFields);
        continue;
      }
      const length = this.readLength(buffer, at, end);
      const from = this.position;
      at = from + length;
      if (at > end) this.#truncated();
      list.push(this.readString(buffer, from, at));
    }
    return list;
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface SpecialFields {
  readonly ints: [number | bigint, number | bigint, number | bigint];
  readonly spans: [Span | undefined, Span | undefined, Span | undefined];
}

const noFields: ReadonlyMap<number, string> = new Map();

function printText(text: string | null | undefined): string {
  return text ? printJsonString(text) : '""';
}

/** Times that cannot be written as text, beyond the years 1 to 9999, are refused. */
function secondsInRange(value: number | bigint): number {
  const seconds = Number(value);
  if (seconds >= zeroTimeSeconds && seconds <= lastTimeSeconds) return seconds;
  throw new DecodeError(`proto: time ${value} is out of range`);
}

function secondsOf(text: string): number {
  try {
    return parseTime(text).seconds;
  } catch (error) {
    throw new DecodeError(error instanceof Error ? error.message : String(error));
  }
}

function microsOf(text: string): { seconds: number; nanos: number } {
  try {
    const { seconds, nanos } = parseTime(text);
    return { seconds, nanos: Math.floor(nanos / 1000) * 1000 };
  } catch (error) {
    throw new DecodeError(error instanceof Error ? error.message : String(error));
  }
}

function reasonOf(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Keys in the order of their UTF-8 bytes, as Kubernetes sorts. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  if (keys.length > fewKeysMax) keys.sort();
  else sortFew(keys);
  // UTF-16 puts U+E000 to U+FFFF behind what lies beyond them, UTF-8 does not.
  if (keys.some(hasSurrogate)) keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return keys;
}

/** Up to here insertion beats the call into the runtime, which allocates. */
const fewKeysMax = 16;

function sortFew(keys: string[]): void {
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] ?? "";
    let at = index;
    for (; at > 0; at--) {
      const before = keys[at - 1] ?? "";
      if (before <= key) break;
      keys[at] = before;
    }
    keys[at] = key;
  }
}

function hasSurrogate(key: string): boolean {
  for (let index = 0; index < key.length; index++) if (key.charCodeAt(index) >= 0xd800) return true;
  return false;
}

/** Sets a member whatever its name: plain assignment to `__proto__` would set the prototype. */
export function put(map: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    map[key] = value;
  }
}

/** Whether the JSON text of an object is surely as objects are printed here: without white space and without what is escaped. */
function isAsPrinted(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  // Several times faster than a regular expression.
  for (const character of neverPrinted) if (text.includes(character)) return false;
  return true;
}

const neverPrinted = [" ", "\t", "\n", "\r", "<", ">", "&", "\u2028", "\u2029"];

/** Up to here, copying an object as it is laid out is faster than member by member; far beyond, it takes twice as long. */
const spreadKeysMax = 64;

function copyMembers(map: { [key: string]: string }, keys: readonly string[]): { [key: string]: string } {
  if (keys.length <= spreadKeysMax) return { ...map };
  const copy: { [key: string]: string } = {};
  for (const key of keys) put(copy, key, map[key]);
  return copy;
}

export function isEmpty(map: object): boolean {
  for (const _key in map) return false;
  return true;
}

function cloneJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (isKept(value)) return value;
  if (Array.isArray(value)) return value.map((item) => cloneJson(item) ?? null);
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    const cloned = cloneJson(member);
    if (cloned !== undefined) put(copy, key, cloned);
  }
  return copy;
}
