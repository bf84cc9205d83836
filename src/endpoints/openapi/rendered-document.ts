import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";

const compress = promisify(gzip);
/** About a millisecond of work. */
const hashedPerStep = 512 * 1024;

/** A document in the form in which it is sent. */
export class RenderedDocument {
  readonly bytes: Uint8Array;
  /** Upper-case SHA-512 of the bytes. */
  readonly hash: string;
  #compressed: Promise<Uint8Array> | undefined;

  private constructor(bytes: Uint8Array, hash: string) {
    this.bytes = bytes;
    this.hash = hash;
  }

  static async of(bytes: Uint8Array): Promise<RenderedDocument> {
    const hash = createHash("sha512");
    for (let start = 0; start < bytes.length; start += hashedPerStep) {
      hash.update(bytes.subarray(start, start + hashedPerStep));
      await turnIfRoundIsOver();
    }
    return new RenderedDocument(bytes, hash.digest("hex").toUpperCase());
  }

  /** Made once, off the event loop. */
  compressed(): Promise<Uint8Array> {
    this.#compressed ??= compress(this.bytes);
    return this.#compressed;
  }
}
