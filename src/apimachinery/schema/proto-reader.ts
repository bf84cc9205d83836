import type { Buffer } from "node:buffer";
import { DecodeError, type FromProtoOptions } from "./codec.js";
import type { DecodeLimits } from "./decode-limits.js";
import { createStringReader, type ReadString } from "./string-coding.js";

/** Reads protobuf for generated decoders. Out-of-line reads return the value and leave its end in `position`. */
export class ProtoReader {
  /** Whether field sets stay text, for objects that are only printed. */
  leavesFieldSets = false;
  /** The end of the last out-of-line read. */
  position = 0;
  /** Set by `readEntry`. */
  entryKey = "";
  entryStart = 0;
  entryEnd = 0;
  readonly readString: ReadString = createStringReader();
  readonly #limits: DecodeLimits;

  constructor(limits: DecodeLimits) {
    this.#limits = limits;
  }

  begin(options: FromProtoOptions | undefined): void {
    this.leavesFieldSets = options?.leaveFieldSets === true;
    this.#limits.begin();
  }

  enter(): void {
    this.#limits.enter();
  }

  leave(): void {
    this.#limits.leave();
  }

  /** A varint: an exact number, or a bigint beyond 2^53. */
  readVarint(buffer: Buffer, start: number, end: number): number | bigint {
    let at = start;
    let low = 0;
    let scale = 1;
    // Seven groups of seven bits are exact in a number.
    for (let group = 0; group < 7; group++) {
      const byte = at < end ? (buffer[at++] ?? 0) : this.truncated();
      low += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.position = at;
        return low;
      }
      scale *= 128;
    }
    let high = 0;
    scale = 1;
    for (let group = 7; group < 10; group++) {
      const byte = at < end ? (buffer[at++] ?? 0) : this.truncated();
      high += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.position = at;
        return signedInteger(low, high);
      }
      scale *= 128;
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

  /** `value` is undefined when the input is truncated. */
  toInt32(value: number | bigint | undefined): number {
    if (value === undefined) return this.truncated();
    return typeof value === "number" && value >= -0x80000000 && value < 0x80000000
      ? value | 0
      : Number(BigInt.asIntN(32, BigInt(value)));
  }

  readDouble(buffer: Buffer, start: number, end: number): number {
    if (start + 8 > end) this.truncated();
    return buffer.readDoubleLE(start);
  }

  readBytes(buffer: Buffer, start: number, end: number): string {
    return buffer.toString("base64", start, end);
  }

  truncated(): never {
    throw new DecodeError("unexpected EOF");
  }

  /** Where the varint ends that begins at `start`. */
  #afterVarint(buffer: Buffer, start: number, end: number): number {
    const last = Math.min(end, start + varintBytesMax);
    for (let at = start; at < last; at++) if ((buffer[at] ?? 0) < 0x80) return at + 1;
    if (last === end) this.truncated();
    throw new DecodeError("proto: integer overflow");
  }

  /** Skips a field that is unknown to the type; `start` is after its tag. Returns the start of the next field. */
  skip(buffer: Buffer, start: number, end: number, tag: number, known: ReadonlyMap<number, string>): number {
    const number = Math.floor(tag / 8);
    const name = known.get(number);
    if (name !== undefined) {
      throw new DecodeError(`proto: wrong wireType = ${tag % 8} for field ${name}`);
    }
    let at = start;
    // Groups may nest to any depth, so they are counted instead of recursing.
    let groups = 0;
    let wireType = tag % 8;
    let fieldNumber = number;
    for (;;) {
      if (fieldNumber === 0) throw new DecodeError(`proto: illegal tag 0 (wire type ${wireType})`);
      switch (wireType) {
        case 0:
          at = this.#afterVarint(buffer, at, end);
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
      if (at > end) this.truncated();
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
        at = this.skip(buffer, at, end, tag, entryFields);
        continue;
      }
      const length = this.readLength(buffer, at, end);
      const from = this.position;
      at = from + length;
      if (at > end) this.truncated();
      if (tag === 0x0a) this.entryKey = this.readString(buffer, from, at);
      else {
        this.entryStart = from;
        this.entryEnd = at;
      }
    }
  }
}

const varintBytesMax = 10;
/** A number holds the lowest seven groups of a varint exactly. */
const lowRange = 2 ** 49;
/** Of the others, these bits belong to a 64-bit integer. */
const highRange = 2 ** 15;

/** The 64-bit integer in two's complement: a number where that is exact. */
function signedInteger(low: number, high: number): number | bigint {
  const bits = high % highRange;
  const signed = bits >= highRange / 2 ? bits - highRange : bits;
  const value = signed * lowRange + low;
  return Number.isSafeInteger(value) ? value : BigInt(signed) * BigInt(lowRange) + BigInt(low);
}

const entryFields: ReadonlyMap<number, string> = new Map([
  [1, "key"],
  [2, "value"],
]);
