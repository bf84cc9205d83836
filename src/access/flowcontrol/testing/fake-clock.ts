import type { QueueClock } from "../seat.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that a test moves. */
export class FakeClock implements QueueClock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Runs timers that become due, in order; promises settle in between. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#next();
      if (next === undefined || next.at > until) break;
      this.#now = next.at;
      this.#timers.delete(next);
      next.callback();
    }
    this.#now = until;
    await settle();
  }

  /** The first of those that are due first. */
  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve();
}
