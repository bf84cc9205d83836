import type { Steps } from "../steps.js";
import type { CanonicalQuantities } from "./canonical-quantities.js";
import type { FromJsonOptions } from "./codec.js";
import type { DecodeLimits } from "./decode-limits.js";
import { mismatch, stringMapFromJson } from "./json-special.js";

/** One to three milliseconds, before the generated functions are optimized. */
const messagesPerStep = 1_000;

export type DecodeJson = (value: unknown, reader: JsonReader, object?: object) => object;

/** A message whose object is still to be filled. */
interface PutOff {
  readonly decode: DecodeJson;
  readonly value: unknown;
  readonly object: object;
  readonly depth: number;
}

/**
 * State of generated JSON decoders while they decode one value. In steps, each asks `isOver` for its message. Once a step is over, messages
 * become empty objects, which the next steps fill.
 */
export class JsonReader {
  isStepped = false;
  /** Set when a field is unknown to the type. */
  sawUnknownField = false;
  #adopts = false;
  readonly #limits: DecodeLimits;
  readonly #quantities: CanonicalQuantities;
  #left = messagesPerStep;
  readonly #putOff: PutOff[] = [];

  constructor(limits: DecodeLimits, quantities: CanonicalQuantities) {
    this.#limits = limits;
    this.#quantities = quantities;
  }

  begin(options: FromJsonOptions | undefined): void {
    this.sawUnknownField = false;
    this.#adopts = options?.adopts === true;
    this.#limits.begin(options);
  }

  /** Counts a message; true when it must be put off. */
  isOver(): boolean {
    return --this.#left < 0;
  }

  /** Answers `object`, which `decode` will fill later. */
  putOff(decode: DecodeJson, value: unknown, object: object): object {
    this.#putOff.push({ decode, value, object, depth: this.#limits.depth });
    return object;
  }

  /** What was put off. Throws as the decoders do. */
  *rest(): Steps<void> {
    for (let next = this.#putOff.pop(); next !== undefined; next = this.#putOff.pop()) {
      if (this.#left <= 0) {
        yield;
        this.#left = messagesPerStep;
      }
      this.#left--;
      this.#limits.depth = next.depth;
      next.decode(next.value, this, next.object);
    }
  }

  enter(): void {
    this.#limits.enter();
  }

  leave(): void {
    this.#limits.leave();
  }

  /** A map of texts; undefined for an empty map where that means the same as absent. Throws `mismatch`. */
  stringMap(value: unknown, emptyIsAbsent: boolean): { [key: string]: string } | undefined {
    return stringMapFromJson(value, emptyIsAbsent, this.#adopts);
  }

  /** Throws `mismatch` when the value is not a quantity. */
  quantity(value: unknown): string {
    this.#limits.countQuantity();
    const text = typeof value === "string" ? value : typeof value === "number" ? `${value}` : undefined;
    const canonical = text === undefined ? undefined : this.#quantities.of(text);
    if (canonical === undefined) throw mismatch;
    return canonical;
  }
}
