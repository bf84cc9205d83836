import { canonicalQuantity } from "../values/quantity.js";

/** Limit of cached quantities; the cache is cleared when it is full. */
const quantitiesRemembered = 8192;
/** Longer texts are not cached, because their length would defeat the limit on their number. */
const rememberedLengthMax = 32;

/** Caches the canonical form of quantities by their text, because the objects of a cluster repeat few quantities. */
export class CanonicalQuantities {
  readonly #known = new Map<string, string>();

  /** Undefined when the text is not a quantity. */
  of(text: string): string | undefined {
    return this.#known.get(text) ?? this.#parse(text);
  }

  /** The text itself when it is not a quantity: encoders must be able to print an invalid object. */
  orAsIs(text: string): string {
    return this.of(text) ?? text;
  }

  #parse(text: string): string | undefined {
    let canonical: string;
    try {
      canonical = canonicalQuantity(text.trim());
    } catch {
      return undefined;
    }
    if (text.length <= rememberedLengthMax) {
      if (this.#known.size >= quantitiesRemembered) this.#known.clear();
      this.#known.set(text, canonical);
    }
    return canonical;
  }
}
