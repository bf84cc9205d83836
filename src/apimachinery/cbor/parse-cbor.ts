import { Buffer, isUtf8 } from "node:buffer";
import { put } from "../collections/put.js";
import type { JsonValue } from "../json/json-value.js";
import { int64Max } from "../values/scaled-integers.js";
import { indefiniteLength, majorTypes, simpleValues } from "./cbor-format.js";
import { halfFloat } from "./half-float.js";

/** Bytes that are not CBOR, or have no JSON form. */
export class CborError extends Error {
  override readonly name = "CborError";
}

/** The same limit as for JSON: recursive code that walks a value must fit a thread's stack. */
const depthMax = 1000;

/** What byte strings within a tag stand for in JSON: RFC 8949, 3.4.5.2. */
type LaterEncoding = "base64url" | "base64" | "hex" | undefined;

const laterEncodings: ReadonlyMap<number, LaterEncoding> = new Map([
  [21, "base64url"],
  [22, "base64"],
  [23, "hex"],
]);

const tags = { timeText: 0, time: 1, bignum: 2, negativeBignum: 3 } as const;

/**
 * Reads one item as JSON has it: byte strings become text, as their tags say; what JSON cannot express is refused, and so are maps with two
 * members of the same name. Integers beyond ±(2^53-1) become `bigint`. Throws `CborError`.
 */
export function parseCbor(bytes: Uint8Array): JsonValue {
  const reader = new CborReader(bytes);
  const value = reader.item(0, undefined);
  reader.end();
  return value;
}

class CborReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left > 0) throw new CborError(`cbor: ${left} bytes of extraneous data starting at index ${this.#at}`);
  }

  item(depth: number, encoding: LaterEncoding): JsonValue {
    const first = this.#byte();
    const [major, info] = [first >>> 5, first & 0x1f];
    switch (major) {
      case majorTypes.unsigned:
        return this.#integer(info, false);
      case majorTypes.negative:
        return this.#integer(info, true);
      case majorTypes.bytes:
      case majorTypes.text:
        return this.#string(major, info, encoding);
      case majorTypes.array:
        return this.#array(info, below(depth), encoding);
      case majorTypes.map:
        return this.#map(info, below(depth), encoding);
      case majorTypes.tag:
        return this.#tagged(this.#argument(info), below(depth), encoding);
      default:
        return this.#other(info);
    }
  }

  #integer(info: number, isNegative: boolean): number | bigint {
    const argument = this.#argument(info);
    if (typeof argument === "number") return isNegative ? -1 - argument : argument;
    const value = isNegative ? -1n - argument : argument;
    if (argument > int64Max) {
      throw new CborError(`cbor: cannot unmarshal ${value} into a 64-bit integer`);
    }
    return exact(value);
  }

  #string(major: number, info: number, encoding: LaterEncoding): string {
    const bytes = info === indefiniteLength ? this.#chunks(major) : this.#slice(this.#argument(info));
    if (major === majorTypes.bytes) return bytes.toString(encoding ?? "utf8");
    if (!isUtf8(bytes)) throw new CborError("cbor: invalid UTF-8 string");
    return bytes.toString("utf8");
  }

  /** A string in parts, each with its length. */
  #chunks(major: number): Buffer {
    const chunks: Buffer[] = [];
    while (!this.#isBreak()) {
      const first = this.#byte();
      if (first >>> 5 !== major || (first & 0x1f) === indefiniteLength) {
        throw new CborError("cbor: wrong element type in a string of indefinite length");
      }
      const chunk = this.#slice(this.#argument(first & 0x1f));
      if (major === majorTypes.text && !isUtf8(chunk)) throw new CborError("cbor: invalid UTF-8 string");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #array(info: number, depth: number, encoding: LaterEncoding): JsonValue[] {
    const items: JsonValue[] = [];
    if (info === indefiniteLength) {
      while (!this.#isBreak()) items.push(this.item(depth, encoding));
      return items;
    }
    const count = this.#count(info, 1);
    for (let index = 0; index < count; index++) items.push(this.item(depth, encoding));
    return items;
  }

  #map(info: number, depth: number, encoding: LaterEncoding): JsonValue {
    const object: { [name: string]: JsonValue } = {};
    if (info === indefiniteLength) {
      while (!this.#isBreak()) this.#member(object, depth, encoding);
      return object;
    }
    const count = this.#count(info, 2);
    for (let index = 0; index < count; index++) this.#member(object, depth, encoding);
    return object;
  }

  #member(object: { [name: string]: JsonValue }, depth: number, encoding: LaterEncoding): void {
    const first = this.#byte();
    const major = first >>> 5;
    if (major !== majorTypes.bytes && major !== majorTypes.text) {
      throw new CborError("cbor: the name of a member is no string");
    }
    const name = this.#string(major, first & 0x1f, undefined);
    if (Object.hasOwn(object, name)) {
      throw new CborError(`cbor: found duplicate map key ${JSON.stringify(name)}`);
    }
    put(object, name, this.item(depth, encoding));
  }

  #tagged(tag: number | bigint, depth: number, encoding: LaterEncoding): JsonValue {
    const number = Number(tag);
    const content = this.item(depth, laterEncodings.get(number) ?? encoding);
    if (number === tags.bignum || number === tags.negativeBignum) {
      throw new CborError("cbor: integers of any length have no JSON form");
    }
    if (number === tags.timeText) return timeText(content);
    return number === tags.time ? timeOf(content) : content;
  }

  #other(info: number): JsonValue {
    switch (info) {
      case simpleValues.false:
        return false;
      case simpleValues.true:
        return true;
      case simpleValues.null:
        return null;
      case 25:
        return finite(halfFloat(this.#slice(2).readUInt16BE()));
      case 26:
        return finite(this.#slice(4).readFloatBE());
      case 27:
        return finite(this.#slice(8).readDoubleBE());
      case indefiniteLength:
        throw new CborError('cbor: unexpected "break" code');
      default:
        throw new CborError(`cbor: simple value ${info === 24 ? this.#byte() : info} is not allowed`);
    }
  }

  /**
   * Reads a count of items, and refuses one that the remaining bytes cannot hold at `bytesMin` each: a false count must not reserve
   * memory.
   */
  #count(info: number, bytesMin: number): number {
    const count = this.#argument(info);
    if (count > (this.#bytes.length - this.#at) / bytesMin) throw unexpectedEnd();
    return Number(count);
  }

  #argument(info: number): number | bigint {
    if (info < 24) return info;
    switch (info) {
      case 24:
        return this.#byte();
      case 25:
        return this.#slice(2).readUInt16BE();
      case 26:
        return this.#slice(4).readUInt32BE();
      case 27:
        return exact(this.#slice(8).readBigUInt64BE());
      default:
        throw new CborError(`cbor: invalid additional information ${info}`);
    }
  }

  #isBreak(): boolean {
    if (this.#at >= this.#bytes.length) throw unexpectedEnd();
    if (this.#bytes[this.#at] !== 0xff) return false;
    this.#at++;
    return true;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw unexpectedEnd();
    this.#at++;
    return byte;
  }

  #slice(length: number | bigint): Buffer {
    if (length > this.#bytes.length - this.#at) throw unexpectedEnd();
    const start = this.#at;
    this.#at += Number(length);
    return this.#bytes.subarray(start, this.#at);
  }
}

function below(depth: number): number {
  if (depth >= depthMax) throw new CborError(`cbor: exceeded max nested level ${depthMax}`);
  return depth + 1;
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new CborError("cbor: NaN and infinite numbers have no JSON form");
}

function timeText(content: JsonValue): string {
  if (typeof content !== "string" || Number.isNaN(Date.parse(content))) {
    throw new CborError("cbor: a time is not in the form of RFC 3339");
  }
  return content;
}

/** Seconds since 1970, as text. */
function timeOf(content: JsonValue): string {
  const time = typeof content === "number" ? new Date(content * 1000) : undefined;
  if (time === undefined || Number.isNaN(time.getTime()))
    throw new CborError("cbor: a time is no number of seconds");
  return time.toISOString().replace(/\.?0+Z$/, "Z");
}

function unexpectedEnd(): CborError {
  return new CborError("unexpected EOF");
}
