import { Buffer } from "node:buffer";

/** Larger than nearly every object. */
const initialBytes = 64 * 1024;
/** A larger buffer is needed only for rare objects, and released. */
const keptBytesMax = 4 * 1024 * 1024;
/** A buffer that has grown is released this long after. */
const letGoMs = 30_000;

/** The buffer that all objects are encoded in, one at a time. */
export class EncodeBuffer {
  #buffer = Buffer.allocUnsafeSlow(initialBytes);
  #lettingGo: NodeJS.Timeout | undefined;

  /**
   * Runs a writer (see `writeString`) and returns a copy of its output. A writer that runs out of space returns a negative position,
   * which says how much was missing.
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
    if (end > keptBytesMax) this.#letGo();
    else if (end > initialBytes) this.#lettingGo ??= setTimeout(() => this.#letGo(), letGoMs).unref();
    return bytes;
  }

  #letGo(): void {
    clearTimeout(this.#lettingGo);
    this.#lettingGo = undefined;
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
  }
}
