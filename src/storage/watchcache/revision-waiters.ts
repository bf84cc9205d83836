import type { Clock } from "../../time/clock.js";
import type { Revision } from "../kv.js";

interface Waiter {
  readonly revision: Revision;
  readonly done: (reached: boolean) => void;
}

/** Callers that wait until a cache has reached a revision. */
export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Resolves with true when `advance` reaches the revision, and with false when `timeoutMs` has passed or all waiters were released. */
  wait(revision: Revision, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        revision,
        done: (reached) => {
          cancel();
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      const cancel = this.#clock.schedule(timeoutMs, () => waiter.done(false));
      this.#waiters.add(waiter);
    });
  }

  advance(reached: Revision): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision <= reached) waiter.done(true);
    }
  }

  giveUp(): void {
    for (const waiter of this.#waiters) waiter.done(false);
  }
}
