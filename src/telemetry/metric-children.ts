import type { MetricChild, MetricFamily } from "./metric-family.js";

/** Metric children that describe the same subject, and are removed with it. */
export class MetricChildren {
  readonly #made = new Map<MetricFamily<unknown>, Set<MetricChild<unknown>>>();
  #dropped = false;

  /** Like `family.with(...values)`. What is counted after `drop` is not shown. */
  of<Child>(family: MetricFamily<Child>, ...values: readonly string[]): Child {
    if (this.#dropped) return family.unlisted();
    let made = this.#made.get(family);
    if (made === undefined) {
      made = new Set();
      this.#made.set(family, made);
    }
    const entry = family.entry(values);
    made.add(entry);
    return entry.child;
  }

  /** Removes them from the metrics. */
  drop(): void {
    this.#dropped = true;
    for (const [family, made] of this.#made) for (const entry of made) family.removeEntry(entry);
    this.#made.clear();
  }
}
