/** A histogram of observations. */
export class Distribution {
  /** Upper bounds, inclusive, ascending. One more bucket, without a bound, follows. */
  readonly bounds: readonly number[];
  /** Ends with the highest bucket that has observations: most distributions have theirs in the first one or two. */
  #counts: number[] = noCounts;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
  }

  /** Observations per bucket, the last one without an upper bound. */
  get counts(): readonly number[] {
    return Array.from({ length: this.bounds.length + 1 }, (_, range) => this.#counts[range] ?? 0);
  }

  /** Observes `value` that many times. */
  observe(value: number, times = 1): void {
    let range = 0;
    while (range < this.bounds.length && value > (this.bounds[range] ?? 0)) range++;
    this.#add(range, times);
    this.sum += value * times;
  }

  /** Adds the observations of `other`, which has the same bounds. */
  add(other: Distribution): void {
    this.addCounts(other.#counts, other.sum);
  }

  /** Adds observations by bucket. */
  addCounts(counts: readonly number[], sum: number): void {
    // From the highest bucket down, so that the array grows only once.
    for (let range = counts.length - 1; range >= 0; range--) {
      const count = counts[range] ?? 0;
      if (count > 0) this.#add(range, count);
    }
    this.sum += sum;
  }

  #add(range: number, times: number): void {
    if (range >= this.#counts.length) {
      // `push` would reserve capacity for more elements than there are buckets.
      const counts = new Array<number>(range + 1).fill(0);
      for (const [known, count] of this.#counts.entries()) counts[known] = count;
      this.#counts = counts;
    }
    this.#counts[range] = (this.#counts[range] ?? 0) + times;
  }
}

const noCounts: number[] = [];
