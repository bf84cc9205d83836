const periodMs = 1000;

/** The highest number of concurrent requests in this second and the one before. Times are monotonic milliseconds. */
export class Peak {
  #now = 0;
  #peak = 0;
  #peakBefore = 0;
  #period = 0;

  begin(now: number): void {
    this.#turnTo(now);
    this.#now++;
    if (this.#now > this.#peak) this.#peak = this.#now;
  }

  end(): void {
    this.#now--;
  }

  recent(now: number): number {
    this.#turnTo(now);
    return Math.max(this.#peak, this.#peakBefore);
  }

  #turnTo(now: number): void {
    const period = Math.floor(now / periodMs);
    if (period <= this.#period) return;
    this.#peakBefore = period === this.#period + 1 ? this.#peak : this.#now;
    this.#peak = this.#now;
    this.#period = period;
  }
}
