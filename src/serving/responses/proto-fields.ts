import { varintBytesMax, writeVarint } from "../../apimachinery/schema/string-coding.js";

/** A length-delimited protobuf field. `tag` is number << 3 | 2, below 128. */
export function delimited(tag: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([delimitedHead(tag, bytes.length), bytes]);
}

/** The bytes that precede the content of a length-delimited field. */
export function delimitedHead(tag: number, byteLength: number): Buffer {
  return tagged(tag, byteLength);
}

/** A field of one number, a non-negative safe integer. */
export function tagged(tag: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(1 + varintBytesMax);
  const start = writeVarint(value, bytes, bytes.length) - 1;
  bytes[start] = tag;
  return bytes.subarray(start);
}
