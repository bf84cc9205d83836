export interface ThrottleLimits {
  /** Per second, on average. */
  readonly rate: number;
  /** Burst allowed after a pause. */
  readonly burst: number;
}

/** A token bucket. Times are in milliseconds. */
export class Throttle {
  readonly #limits: ThrottleLimits;
  #tokens: number;
  #at: number;

  constructor(limits: ThrottleLimits, now: number) {
    this.#limits = limits;
    this.#tokens = limits.burst;
    this.#at = now;
  }

  /** Takes a token. If none is left, returns how long to wait before asking again. */
  take(now: number): number {
    const { rate, burst } = this.#limits;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * rate);
    this.#at = now;
    if (this.#tokens < 1) return ((1 - this.#tokens) / rate) * 1000;
    this.#tokens -= 1;
    return 0;
  }
}
