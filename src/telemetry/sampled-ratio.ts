import type { Distribution } from "./distribution.js";

/** What is recorded of a ratio. */
export interface RatioDistributions {
  readonly samples: Distribution;
  /** How many times a sample counts. Default: once. */
  readonly weight?: number | undefined;
  /** The highest and the lowest value between two samples. */
  readonly marks?: { readonly high: Distribution; readonly low: Distribution } | undefined;
}

const periodMs = 1;

/**
 * A number relative to its limit, sampled every millisecond as kube-apiserver 1.23 does. There is no timer: due samples are recorded
 * together, in constant time, before the number changes and when the metrics are read. Times are monotonic milliseconds.
 */
export class SampledRatio {
  readonly #shown: RatioDistributions;
  #value = 0;
  #limit: number;
  #highest = 0;
  #lowest = 0;
  #nextAtMs: number;

  constructor(shown: RatioDistributions, limit: number, nowMs: number) {
    this.#shown = shown;
    this.#limit = limit;
    this.#nextAtMs = nowMs + periodMs;
  }

  add(delta: number, nowMs: number): void {
    if (nowMs >= this.#nextAtMs) this.sample(nowMs);
    const value = this.#value + delta;
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
    else if (value < this.#lowest) this.#lowest = value;
  }

  setLimit(limit: number, nowMs: number): void {
    this.sample(nowMs);
    this.#limit = limit;
  }

  /** Records the samples that are due. */
  sample(nowMs: number): void {
    if (nowMs < this.#nextAtMs) return;
    const due = Math.floor((nowMs - this.#nextAtMs) / periodMs) + 1;
    const { samples, weight = 1, marks } = this.#shown;
    const ratio = this.#value / this.#limit;
    samples.observe(ratio, due * weight);
    if (marks !== undefined) {
      const { high, low } = marks;
      high.observe(this.#highest / this.#limit);
      low.observe(this.#lowest / this.#limit);
      // Nothing has changed in the later periods.
      if (due > 1) {
        high.observe(ratio, due - 1);
        low.observe(ratio, due - 1);
      }
    }
    this.#highest = this.#value;
    this.#lowest = this.#value;
    this.#nextAtMs += due * periodMs;
  }
}
