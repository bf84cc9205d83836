import type { MetricFamily } from "./metrics.js";

/** Children of metrics that tell of the same thing, and go with it. */
export class MetricChildren {
  readonly #made: (() => void)[] = [];
  #dropped = false;

  /** As `family.with(...values)`. */
  of<Child>(family: MetricFamily<Child>, ...values: readonly string[]): Child {
    // What is counted after the end is counted nowhere.
    if (this.#dropped) return family.unlisted();
    this.#made.push(() => family.remove(...values));
    return family.with(...values);
  }

  /** The metrics no longer show them. */
  drop(): void {
    this.#dropped = true;
    for (const remove of this.#made.splice(0)) remove();
  }
}
