import { canonicalQuantity } from "../quantity.js";

/** Distinct texts of quantities whose canonical form is remembered; beyond it the memory starts anew. */
const quantitiesRemembered = 8192;
/** Keys of unbounded length would defeat the bound on their number. */
const rememberedLengthMax = 32;

/** Canonical forms of quantities, remembered by their text: most objects of a cluster have the same few. */
export class CanonicalQuantities {
  readonly #known = new Map<string, string>();

  /** Undefined when the text is not a quantity. */
  of(text: string): string | undefined {
    return this.#known.get(text) ?? this.#parse(text);
  }

  /** The text itself when it is not a quantity: encoders must be able to show an object that is not valid. */
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
