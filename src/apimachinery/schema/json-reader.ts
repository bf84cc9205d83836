import type { CanonicalQuantities } from "./canonical-quantities.js";
import type { DecodeLimits } from "./decode-limits.js";
import { mismatch } from "./json-special.js";

/** State of generated JSON decoders while they decode one value. */
export class JsonReader {
  /** Set when a field is unknown to the type. */
  sawUnknownField = false;
  readonly #limits: DecodeLimits;
  readonly #quantities: CanonicalQuantities;

  constructor(limits: DecodeLimits, quantities: CanonicalQuantities) {
    this.#limits = limits;
    this.#quantities = quantities;
  }

  begin(quantitiesMax: number | undefined): void {
    this.sawUnknownField = false;
    this.#limits.begin(quantitiesMax);
  }

  enter(): void {
    this.#limits.enter();
  }

  leave(): void {
    this.#limits.leave();
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
