import { Buffer } from "node:buffer";

/** Larger than nearly every object. */
const initialBytes = 64 * 1024;
/** A larger buffer was needed for a rare object, and is given back. */
const keptBytesMax = 4 * 1024 * 1024;

/** The buffer that objects are encoded in, one after the other. */
export class EncodeBuffer {
  #buffer = Buffer.allocUnsafeSlow(initialBytes);

  /**
   * Runs a writer (see `writeString`) and returns a copy of what it wrote. A writer that ran out of room ends at a
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
    if (end > keptBytesMax) this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    return bytes;
  }
}
