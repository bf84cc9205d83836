import { setImmediate } from "node:timers/promises";
import type { Clock } from "./clock.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that a test moves. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;

  constructor(now = Date.UTC(2021, 11, 7)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  every(periodMs: number, callback: () => void): () => void {
    let cancel = (): void => undefined;
    const again = (): void => {
      cancel = this.schedule(periodMs, () => {
        again();
        callback();
      });
    };
    again();
    return () => cancel();
  }

  track(): void {}

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(delayMs, resolve);
    });
  }

  /** Runs every timer that becomes due, each at its time, and waits an event-loop turn for what it starts. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
      await setImmediate();
    }
    this.#now = until;
    await setImmediate();
  }
}
