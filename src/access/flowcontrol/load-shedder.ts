import type { QueueClock } from "./fair-queues.js";

export interface LoadShedderOptions {
  readonly clock: QueueClock;
  /** Sets the fraction of seats that is withheld from the least important level: 0 to 1. */
  readonly apply: (pressure: number) => void;
  /** Whether anything runs or waits that can be shed. */
  readonly isBusy: () => boolean;
}

/** How often the event loop is asked to come round. */
const tickMs = 20;
/** Ticks between two decisions. */
const ticksPerDecision = 5;
/** A health check has a second at most, and waits for several turns: far below that, work is shed. */
const lagMsMax = 60;
/** Below this, more may run again. */
const lagMsGood = 25;
const pressureStepUp = 0.25;
const pressureStepDown = 0.05;
/** Something of every level always runs. */
const pressureMax = 0.98;

/**
 * Sheds load when the event loop lags. One event loop serves everybody, so too many large answers at a time keep health checks and leases
 * waiting, however many seats are free. The pressure rises fast and falls slowly, as the windows of TCP do the other way round. It
 * is measured only while there is work: an idle server has no timer.
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

  get pressure(): number {
    return this.#pressure;
  }

  /** Called for every request that can be shed. */
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
