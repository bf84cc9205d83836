import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** A document as it is sent. */
export class RenderedDocument {
  readonly bytes: Uint8Array;
  /** Upper-case SHA-512 of the bytes. */
  readonly hash: string;
  #compressed: Promise<Uint8Array> | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.hash = createHash("sha512").update(bytes).digest("hex").toUpperCase();
  }

  /** Made once, off the event loop. */
  compressed(): Promise<Uint8Array> {
    this.#compressed ??= compress(this.bytes);
    return this.#compressed;
  }
}
