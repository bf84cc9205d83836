import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);
/** About a millisecond's work. */
const hashedPerTurn = 512 * 1024;

/** A document as it is sent. */
export class RenderedDocument {
  readonly bytes: Uint8Array;
  /** Upper-case SHA-512 of the bytes. */
  readonly hash: string;
  #compressed: Promise<Uint8Array> | undefined;

  private constructor(bytes: Uint8Array, hash: string) {
    this.bytes = bytes;
    this.hash = hash;
  }

  /** Hashes a large document in turns of the event loop. */
  static async of(bytes: Uint8Array): Promise<RenderedDocument> {
    const hash = createHash("sha512");
    for (let start = 0; start < bytes.length; start += hashedPerTurn) {
      if (start > 0) await setImmediate();
      hash.update(bytes.subarray(start, start + hashedPerTurn));
    }
    return new RenderedDocument(bytes, hash.digest("hex").toUpperCase());
  }

  /** Made once, off the event loop. */
  compressed(): Promise<Uint8Array> {
    this.#compressed ??= compress(this.bytes);
    return this.#compressed;
  }
}
