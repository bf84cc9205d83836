import { DecodeError } from "./codec.js";

/**
 * How deep messages of a recursive type may nest. The stack has room for more (one level of the only recursive type, JSON schemas,
 * takes about 1 KB), and no real schema comes near it.
 */
const recursionMax = 400;

/** The nesting within one call of a decoder. One instance serves all synchronous calls, one after the other. */
export class DecodeLimits {
  /** Depth of the message being read. */
  depth = 0;

  begin(): void {
    this.depth = 0;
  }

  enter(): void {
    if (++this.depth > recursionMax) throw new DecodeError("exceeded max depth");
  }

  leave(): void {
    this.depth--;
  }
}
