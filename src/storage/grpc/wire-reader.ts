/** Reads the fields of a protobuf message in order: `next`, look at `field`, then one of the values, or `skip`. */
export class WireReader {
  field = 0;
  readonly #bytes: Buffer;
  readonly #end: number;
  #position: number;
  #wireType = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#position = start;
    this.#end = end;
  }

  /** Whether there is another field. */
  next(): boolean {
    if (this.#position >= this.#end) return false;
    const tag = this.#varint();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    return true;
  }

  /** An int64 or uint64 that is known to be below 2^53; -1 is the one negative number in use. */
  integer(): number {
    this.#expect(0);
    return this.#varint();
  }

  bigInteger(): bigint {
    this.#expect(0);
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new RangeError("a varint of more than ten bytes");
  }

  boolean(): boolean {
    return this.integer() !== 0;
  }

  /** A view of the message's bytes. */
  bytes(): Buffer {
    const [start, end] = this.#span();
    return this.#bytes.subarray(start, end);
  }

  string(): string {
    const [start, end] = this.#span();
    return this.#bytes.toString("utf8", start, end);
  }

  message(): WireReader {
    const [start, end] = this.#span();
    return new WireReader(this.#bytes, start, end);
  }

  skip(): void {
    switch (this.#wireType) {
      case 0:
        this.#skipVarint();
        return;
      case 1:
        this.#position += 8;
        return;
      case 2:
        this.#span();
        return;
      case 5:
        this.#position += 4;
        return;
      default:
        throw new RangeError(`wire type ${this.#wireType}`);
    }
  }

  #span(): readonly [number, number] {
    this.#expect(2);
    const length = this.#varint();
    const start = this.#position;
    const end = start + length;
    if (length < 0 || end > this.#end) throw new RangeError("a field goes beyond its message");
    this.#position = end;
    return [start, end];
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType) {
      throw new RangeError(`field ${this.field} has wire type ${this.#wireType}, not ${wireType}`);
    }
  }

  #varint(): number {
    let byte = this.#byte();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; scale <= 2 ** 49; scale *= 128) {
      byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    // Negative numbers take ten bytes, all of them ones for -1.
    for (let more = 0; more < 2; more++) byte = this.#byte();
    return -1;
  }

  #skipVarint(): void {
    for (let bytes = 1; this.#byte() >= 128; bytes++) {
      if (bytes === 10) throw new RangeError("a varint of more than ten bytes");
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined || this.#position >= this.#end) throw new RangeError("a message ends in a field");
    this.#position += 1;
    return byte;
  }
}
