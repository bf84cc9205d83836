import type { QueueClock } from "./seat.js";

export interface LoadShedderOptions {
  readonly clock: QueueClock;
  /** Sets the fraction of seats, 0 to 1, that the least important level loses. */
  readonly apply: (pressure: number) => void;
  /** Whether any request that can be shed runs or waits. */
  readonly isBusy: () => boolean;
}

/** Interval of the timer that measures the lag. */
const tickMs = 20;
const ticksPerDecision = 5;
/** A health check takes several turns of the event loop and must answer within a second: load is shed well before that. */
const lagMsMax = 60;
/** Below this lag, seats are returned. */
const lagMsGood = 25;
const pressureStepUp = 0.25;
const pressureStepDown = 0.05;
/** Every level keeps some seats. */
const pressureMax = 0.98;

/**
 * Sheds load when the event loop lags. All requests share one event loop, so too many large answers at once delay health checks and
 * leases, however many seats are free. The pressure rises fast and falls slowly, the reverse of a TCP window. It is measured only while
 * there is work: an idle server has no timer.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  #isTicking = false;
  #pressure = 0;
  #ticks = 0;
  #worstLagMs = 0;

  constructor(options: LoadShedderOptions) {
    this.#options = options;
  }

  /** Starts measuring, if it has not started. Called for every request that can be shed. */
  watch(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#ticks = 0;
    this.#worstLagMs = 0;
    this.#tickLater();
  }

  #tickLater(): void {
    const { clock } = this.#options;
    const askedAt = clock.now();
    clock.after(tickMs, () => {
      this.#worstLagMs = Math.max(this.#worstLagMs, clock.now() - askedAt - tickMs);
      this.#ticks++;
      if (this.#ticks >= ticksPerDecision || this.#worstLagMs > lagMsMax) this.#decide();
      if (this.#pressure > 0 || this.#options.isBusy()) this.#tickLater();
      else this.#isTicking = false;
    });
  }

  #decide(): void {
    const before = this.#pressure;
    if (this.#worstLagMs > lagMsMax) this.#pressure = Math.min(pressureMax, before + pressureStepUp);
    else if (this.#worstLagMs < lagMsGood) this.#pressure = Math.max(0, before - pressureStepDown);
    this.#ticks = 0;
    this.#worstLagMs = 0;
    if (this.#pressure !== before) this.#options.apply(this.#pressure);
  }
}
