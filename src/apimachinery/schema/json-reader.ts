import type { CanonicalQuantities } from "./canonical-quantities.js";
import type { DecodeLimits } from "./decode-limits.js";
import { mismatch } from "./json-special.js";

/** What generated decoders of JSON note and count while they read one value. */
export class JsonReader {
  /** Set by decoders that met a field the type does not have. */
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
