import { put } from "../collections/put.js";
import { isJsonObject } from "../json/json-value.js";
import type { CanonicalQuantities } from "./canonical-quantities.js";
import type { FromJsonOptions } from "./codec.js";
import type { DecodeLimits } from "./decode-limits.js";
import { mismatch, stringMapFromJson } from "./json-special.js";

export type DecodeJson = (value: unknown, reader: JsonReader) => object;

/** State of generated JSON decoders while they decode one value. */
export class JsonReader {
  /** Set when a field is unknown to the type. */
  sawUnknownField = false;
  #adopts = false;
  readonly #limits: DecodeLimits;
  readonly #quantities: CanonicalQuantities;

  constructor(limits: DecodeLimits, quantities: CanonicalQuantities) {
    this.#limits = limits;
    this.#quantities = quantities;
  }

  begin(options: FromJsonOptions | undefined): void {
    this.sawUnknownField = false;
    this.#adopts = options?.adopts === true;
    this.#limits.begin();
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

  /** A map of quantities; undefined for an empty map where that means the same as absent. Throws `mismatch`. */
  quantityMap(value: unknown, emptyIsAbsent: boolean): { [key: string]: string } | undefined {
    if (!isJsonObject(value)) throw mismatch;
    const keys = Object.keys(value);
    if (keys.length === 0 && emptyIsAbsent) return undefined;
    const map: { [key: string]: string } = {};
    for (const key of keys) put(map, key, this.quantity(value[key]));
    return map;
  }

  /** Throws `mismatch` when the value is not a quantity. */
  quantity(value: unknown): string {
    const text = typeof value === "string" ? value : typeof value === "number" ? `${value}` : undefined;
    const canonical = text === undefined ? undefined : this.#quantities.of(text);
    if (canonical === undefined) throw mismatch;
    return canonical;
  }
}
