/**
 * Expires when no request has started for a while. The time limits of node:http and node:http2 make a new timer for each request, or
 * restart with every frame, so that pings or a HEADERS frame in small pieces could delay them forever. This is one timer, rescheduled
 * only when it fires, so a request only reads the clock once.
 */
export class IdleTimer {
  readonly #idleMs: number;
  readonly #expired: () => void;
  #inside = 0;
  #since = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number, expired: () => void) {
    this.#idleMs = idleMs;
    this.#expired = expired;
    this.#arm(idleMs);
  }

  enter(): void {
    this.#inside++;
  }

  leave(): void {
    this.#inside--;
    if (this.#inside === 0) this.#since = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(delayMs: number): void {
    this.#timer = setTimeout(this.#check, delayMs);
    this.#timer.unref();
  }

  readonly #check = (): void => {
    const left = this.#inside > 0 ? this.#idleMs : this.#since + this.#idleMs - performance.now();
    if (left <= 0) this.#expired();
    else this.#arm(left);
  };
}
