/** Ratio of each bucket's upper bound to the previous one: quantiles are at most one percent off. */
const growth = 1.02;
const growthLog = Math.log(growth);
/** A summary looks back on this many parts of the time; the oldest is dropped as a whole. */
const partsMax = 5;

export interface SummaryOptions {
  /** Each in [0, 1]. */
  readonly quantiles: readonly number[];
  /** Older observations do not count for the quantiles. */
  readonly maxAgeMs: number;
}

interface Part {
  readonly beganAt: number;
  /** Observations by the exponent of their bucket. */
  readonly counts: Map<number, number>;
}

/**
 * Sum and number of all observations, and quantiles of the recent ones. Observations are counted in buckets that grow
 * exponentially, as in DDSketch (Masson et al., VLDB 2019), which takes 0.1 µs; the digests of the library that prints metrics take
 * 3 µs each.
 */
export class Summary {
  readonly quantiles: readonly number[];
  sum = 0;
  count = 0;
  readonly #partMs: number;
  readonly #now: () => number;
  /** The newest first. */
  readonly #parts: Part[] = [];

  /** `now`: monotonic milliseconds. */
  constructor({ quantiles, maxAgeMs }: SummaryOptions, now: () => number) {
    this.quantiles = quantiles;
    this.#partMs = maxAgeMs / partsMax;
    this.#now = now;
  }

  /** `value` is not negative. */
  observe(value: number): void {
    this.sum += value;
    this.count++;
    const { counts } = this.#current();
    const bucket = Math.ceil(Math.log(value) / growthLog);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }

  /** The values of `quantiles`, in their order; NaN when nothing was observed lately. */
  values(): readonly number[] {
    this.#drop();
    const counts = new Map<number, number>();
    for (const part of this.#parts) {
      for (const [bucket, count] of part.counts) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
    }
    const sorted = [...counts].sort(([a], [b]) => a - b);
    const total = sorted.reduce((sum, [, count]) => sum + count, 0);
    return this.quantiles.map((quantile) => {
      let before = 0;
      for (const [bucket, count] of sorted) {
        before += count;
        if (before >= quantile * total) return middleOf(bucket);
      }
      return Number.NaN;
    });
  }

  #current(): Part {
    const [newest] = this.#parts;
    const now = this.#now();
    if (newest !== undefined && now - newest.beganAt < this.#partMs) return newest;
    const part: Part = { beganAt: now, counts: new Map() };
    this.#parts.unshift(part);
    this.#drop();
    return part;
  }

  #drop(): void {
    const oldest = this.#now() - this.#partMs * partsMax;
    while ((this.#parts.at(-1)?.beganAt ?? oldest) < oldest) this.#parts.pop();
  }
}

/** The geometric mean of the bucket's bounds. The bucket of zero is -Infinity. */
function middleOf(bucket: number): number {
  return (2 * growth ** bucket) / (1 + growth);
}
