import type { MetricFamily } from "./metrics.js";

/** Children of metrics that tell of the same thing, and go with it. */
export class MetricChildren {
  readonly #made = new Map<MetricFamily<unknown>, Map<string, readonly string[]>>();
  #dropped = false;

  /** As `family.with(...values)`. After `drop` what is counted is not shown. */
  of<Child>(family: MetricFamily<Child>, ...values: readonly string[]): Child {
    if (this.#dropped) return family.unlisted();
    let made = this.#made.get(family);
    if (made === undefined) {
      made = new Map();
      this.#made.set(family, made);
    }
    made.set(values.join("\0"), values);
    return family.with(...values);
  }

  /** The metrics no longer show them. */
  drop(): void {
    this.#dropped = true;
    for (const [family, made] of this.#made) for (const values of made.values()) family.remove(...values);
    this.#made.clear();
  }
}
