import { Buffer } from "node:buffer";
import { compareUtf8 } from "../collections/compare-text.js";
import { parseJson } from "../json/json-parse.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import type { BinaryPlace } from "../schema/binary-members.js";
import { int64Max, int64Min } from "../values/scaled-integers.js";
import { headBytes, majorTypes, selfDescribed, simpleValues } from "./cbor-format.js";
import { halfBits } from "./half-float.js";

/**
 * A JSON value as one CBOR item, in the deterministic form of RFC 8949, 4.2.1: shortest numbers, and the members of maps by their encoded
 * names. Text is written as byte strings, as Kubernetes does; its decoders accept both string types. So are the bytes at `binary`, with a
 * tag that makes them base64 in JSON. Members that are undefined are left out.
 */
export function printCbor(value: JsonValue, binary?: BinaryPlace): Buffer {
  const writer = new CborWriter();
  writer.value(value, binary);
  return writer.bytes();
}

/** A JSON text as a CBOR document, with the self-describing tag. */
export function cborOfJson(json: Uint8Array, binary?: BinaryPlace): Buffer {
  return Buffer.concat([selfDescribed, printCbor(parseJson(json), binary)]);
}

export function cborText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([headBytes(majorTypes.bytes, bytes.length), bytes]);
}

/** Whether the member `a` comes before `b`: shorter names first, then by their bytes. */
export function compareNames(a: string, b: string): number {
  const [aLength, bLength] = [Buffer.byteLength(a), Buffer.byteLength(b)];
  return aLength - bLength || compareUtf8(a, b);
}

const firstBytes = 1024;
/** Longest head with its number. */
const headBytesMax = 9;

/** RFC 8949, 3.4.5.2. */
const base64Tag = 22;

function memberPlace(place: BinaryPlace, name: string): BinaryPlace | undefined {
  if (place.kind === "each") return place.of;
  return place.kind === "object" ? place.members.get(name) : undefined;
}

class CborWriter {
  #buffer = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  value(value: JsonValue, binary?: BinaryPlace): void {
    if (typeof value === "string") {
      if (binary?.kind === "bytes") this.#bytes(value);
      else this.#text(value);
    } else if (typeof value === "number") this.#number(value);
    else if (typeof value === "boolean") {
      this.#head(majorTypes.other, value ? simpleValues.true : simpleValues.false);
    } else if (typeof value === "bigint") this.#bigint(value);
    else if (value === null) this.#head(majorTypes.other, simpleValues.null);
    else if (isJsonArray(value)) {
      this.#head(majorTypes.array, value.length);
      const of = binary?.kind === "each" ? binary.of : undefined;
      for (const item of value) this.value(item, of);
    } else this.#object(value, binary);
  }

  #object(object: JsonObject, binary: BinaryPlace | undefined): void {
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    if (names.length > 1) names.sort(compareNames);
    this.#head(majorTypes.map, names.length);
    for (const name of names) {
      this.#text(name);
      this.value(object[name] ?? null, binary && memberPlace(binary, name));
    }
  }

  #bytes(base64: string): void {
    const bytes = Buffer.from(base64, "base64");
    this.#head(majorTypes.tag, base64Tag);
    this.#head(majorTypes.bytes, bytes.length);
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value)) {
      if (value >= 0) this.#head(majorTypes.unsigned, value);
      else this.#head(majorTypes.negative, -1 - value);
    } else if (Number.isFinite(value)) this.#float(value);
    else this.#head(majorTypes.other, simpleValues.null);
  }

  /** In the fewest bytes that keep the value. */
  #float(value: number): void {
    this.#reserve(headBytesMax);
    const half = halfBits(value);
    if (half !== undefined) {
      this.#buffer[this.#length] = 0xf9;
      this.#buffer.writeUInt16BE(half, this.#length + 1);
      this.#length += 3;
    } else if (Math.fround(value) === value) {
      this.#buffer[this.#length] = 0xfa;
      this.#buffer.writeFloatBE(value, this.#length + 1);
      this.#length += 5;
    } else {
      this.#buffer[this.#length] = 0xfb;
      this.#buffer.writeDoubleBE(value, this.#length + 1);
      this.#length += 9;
    }
  }

  #bigint(value: bigint): void {
    // Like Kubernetes, writes integers beyond 64 bits as floats.
    if (value > int64Max || value < int64Min) this.#float(Number(value));
    else if (value >= 0n) this.#head(majorTypes.unsigned, value);
    else this.#head(majorTypes.negative, -1n - value);
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text);
    this.#head(majorTypes.bytes, length);
    this.#reserve(length);
    this.#length += this.#buffer.write(text, this.#length, length, "utf8");
  }

  #head(major: number, argument: number | bigint): void {
    this.#reserve(headBytesMax);
    if (argument < 24) {
      this.#buffer[this.#length++] = (major << 5) | Number(argument);
      return;
    }
    const head = headBytes(major, argument);
    this.#buffer.set(head, this.#length);
    this.#length += head.length;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
