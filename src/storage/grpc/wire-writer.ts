import { varintBytesMax, writeInt } from "../../apimachinery/schema/string-coding.js";

/**
 * Writes a protobuf message from its end to its start, so that the length of a nested message is known when its prefix is
 * written. Fields are therefore given last to first. Zero, empty and false are left out, as proto3 does.
 */
export class WireWriter {
  #bytes: Buffer;
  #position: number;

  constructor(bytesExpected = 256) {
    this.#bytes = Buffer.allocUnsafe(bytesExpected);
    this.#position = bytesExpected;
  }

  /** Bytes written so far: the mark to give to `nested` when the nested fields are written. */
  get length(): number {
    return this.#bytes.length - this.#position;
  }

  /** A number up to 2^53, or any int64 as a bigint. */
  integer(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    this.#varint(value);
    this.#tag(field, 0);
  }

  boolean(field: number, value: boolean | undefined): void {
    if (value === true) this.integer(field, 1);
  }

  bytes(field: number, value: Uint8Array): void {
    if (value.length === 0) return;
    this.#reserve(value.length);
    this.#position -= value.length;
    this.#bytes.set(value, this.#position);
    this.#varint(value.length);
    this.#tag(field, 2);
  }

  string(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    if (length === 0) return;
    this.#reserve(length);
    this.#position -= length;
    this.#bytes.write(value, this.#position);
    this.#varint(length);
    this.#tag(field, 2);
  }

  /**
   * Turns what was written since `mark` into a nested message; an empty one is written too, because its presence counts.
   */
  nested(field: number, mark: number): void {
    this.#varint(this.length - mark);
    this.#tag(field, 2);
  }

  /** The message behind gRPC's prefix: not compressed, four bytes of length. */
  frame(): Buffer {
    const length = this.length;
    this.#reserve(5);
    this.#position -= 5;
    this.#bytes.writeUInt8(0, this.#position);
    this.#bytes.writeUInt32BE(length, this.#position + 1);
    return this.#bytes.subarray(this.#position);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number | bigint): void {
    this.#reserve(varintBytesMax);
    this.#position = writeInt(value, this.#bytes, this.#position);
  }

  #reserve(bytes: number): void {
    if (this.#position >= bytes) return;
    const length = this.length;
    const grown = Buffer.allocUnsafe((length + bytes) * 2);
    this.#bytes.copy(grown, grown.length - length, this.#position);
    this.#bytes = grown;
    this.#position = grown.length - length;
  }
}
