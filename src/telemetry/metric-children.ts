import type { MetricFamily } from "./metrics.js";

/** Metric children that describe the same subject, and are dropped with it. */
export class MetricChildren {
  readonly #made = new Map<MetricFamily<unknown>, Map<string, readonly string[]>>();
  #dropped = false;

  /** Like `family.with(...values)`. After `drop`, further counts are not shown. */
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

  /** Removes them from the metrics. */
  drop(): void {
    this.#dropped = true;
    for (const [family, made] of this.#made) for (const values of made.values()) family.remove(...values);
    this.#made.clear();
  }
}
