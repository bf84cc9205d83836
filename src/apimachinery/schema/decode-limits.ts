import { DecodeError, TooManyValues } from "./codec.js";

/**
 * How deep messages of a recursive type may nest. The stack has room for more (one level of the only recursive type, JSON schemas,
 * takes about 1 KB), and no real schema comes near it.
 */
const recursionMax = 400;

/** Limits of values that cost more than others. */
export interface ValueLimits {
  readonly quantitiesMax?: number | undefined;
  readonly schemasMax?: number | undefined;
}

/** The limits of one call of a decoder. One instance serves all synchronous calls in turn. */
export class DecodeLimits {
  /** Of the message that is being read. */
  depth = 0;
  #quantitiesLeft = 0;
  #schemasLeft = 0;

  begin({
    quantitiesMax = Number.MAX_SAFE_INTEGER,
    schemasMax = Number.MAX_SAFE_INTEGER,
  }: ValueLimits = {}): void {
    this.depth = 0;
    this.#quantitiesLeft = quantitiesMax;
    this.#schemasLeft = schemasMax;
  }

  enter(): void {
    if (--this.#schemasLeft < 0) throw new TooManyValues("schemas");
    if (++this.depth > recursionMax) throw new DecodeError("exceeded max depth");
  }

  leave(): void {
    this.depth--;
  }

  /** Called for each quantity. */
  countQuantity(): void {
    if (--this.#quantitiesLeft < 0) throw new TooManyValues("quantities");
  }
}
