import { Buffer } from "node:buffer";

/**
 * Writes `text` as UTF-8 so that it ends before `position`, preceded by its length; returns where that begins. Writing goes backwards
 * because a length is known only after its content. Positions may become negative: then nothing useful is written, and the encoder
 * starts again with a large enough buffer.
 */
export function writeString(text: string, buffer: Buffer, position: number): number {
  const length = text.length;
  // Up to this length a loop beats the call into the runtime (measured: 40 to 60 characters).
  if (length < 48) {
    let at = position;
    for (let index = length - 1; index >= 0; index--) {
      const code = text.charCodeAt(index);
      if (code > 127) return writeLongString(text, buffer, position);
      buffer[--at] = code;
    }
    buffer[--at] = length;
    return at;
  }
  return writeLongString(text, buffer, position);
}

function writeLongString(text: string, buffer: Buffer, position: number): number {
  const bytes = Buffer.byteLength(text);
  const start = position - bytes;
  if (start >= 0) buffer.write(text, start, bytes, "utf8");
  return writeVarint(bytes, buffer, start);
}

/** Of any 64 bits. */
export const varintBytesMax = 10;

/** Of whole numbers in [0, 2^53). */
export function writeVarint(value: number, buffer: Buffer, position: number): number {
  if (value < 0x80) {
    buffer[position - 1] = value;
    return position - 1;
  }
  if (value < 0x4000) {
    buffer[position - 1] = value >>> 7;
    buffer[position - 2] = (value & 0x7f) | 0x80;
    return position - 2;
  }
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) length++;
  const start = position - length;
  let rest = value;
  for (let at = start; at < position - 1; at++) {
    buffer[at] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  buffer[position - 1] = rest;
  return start;
}

/** An int32 or int64 as a plain varint: negative values take ten bytes. */
export function writeInt(value: number | bigint, buffer: Buffer, position: number): number {
  if (typeof value === "number" && value >= 0) return writeVarint(value, buffer, position);
  let rest = BigInt.asUintN(64, BigInt(value));
  let length = 1;
  for (let probe = rest >> 7n; probe > 0n; probe >>= 7n) length++;
  const start = position - length;
  for (let at = start; at < position - 1; at++) {
    buffer[at] = Number(rest & 0x7fn) | 0x80;
    rest >>= 7n;
  }
  buffer[position - 1] = Number(rest);
  return start;
}

export function writeDouble(value: number, buffer: Buffer, position: number): number {
  if (position >= 8) buffer.writeDoubleLE(value, position - 8);
  return position - 8;
}

function writeBytes(bytes: Uint8Array, buffer: Buffer, position: number): number {
  const start = position - bytes.length;
  if (start >= 0) buffer.set(bytes, start);
  return writeVarint(bytes.length, buffer, start);
}

/** The decoded bytes of a base64 text, preceded by their length. */
export function writeBase64(text: string, buffer: Buffer, position: number): number {
  return writeBytes(Buffer.from(text, "base64"), buffer, position);
}

export type ReadString = (buffer: Buffer, start: number, end: number) => string;

const stringsRemembered = 4096;
const rememberedLengthMax = 40;

/**
 * Makes a function that reads `[start, end)` as UTF-8; invalid UTF-8 becomes U+FFFD. It caches short strings, because the same names
 * and values occur in every object: a lookup takes two thirds of the time of decoding, and decoded objects share the string.
 */
export function createStringReader(): ReadString {
  const remembered: string[] = new Array<string>(stringsRemembered).fill("");
  return (buffer, start, end) => {
    const length = end - start;
    if (length === 0) return "";
    if (length > rememberedLengthMax) return utf8(buffer, start, end);
    // A few bytes distinguish most strings; candidates are compared in full.
    const middle = start + (length >> 1);
    const quarter = length >> 2;
    const mixed =
      length ^
      ((buffer[start] ?? 0) << 5) ^
      ((buffer[end - 1] ?? 0) << 10) ^
      ((buffer[middle] ?? 0) << 16) ^
      ((buffer[start + quarter] ?? 0) << 21) ^
      ((buffer[middle + quarter] ?? 0) << 3);
    const slot = Math.imul(mixed, 0x9e3779b1) >>> 20;
    const found = remembered[slot] ?? "";
    if (found.length === length) {
      let index = 0;
      while (index < length && found.charCodeAt(index) === buffer[start + index]) index++;
      if (index === length) return found;
    }
    const text = utf8(buffer, start, end);
    // As many characters as bytes: it is ASCII, or has U+FFFD, which no byte is equal to.
    if (text.length === length) remembered[slot] = text;
    return text;
  };
}

interface SlicingBuffer {
  utf8Slice(start: number, end: number): string;
}

/** Node's `toString("utf8")` without its argument checks, which take a fifth of the time. */
function utf8(buffer: Buffer, start: number, end: number): string {
  // Every Buffer has the method, but the type declarations do not.
  return (buffer as unknown as SlicingBuffer).utf8Slice(start, end);
}
