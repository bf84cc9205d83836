/** A unit of delivery that may take longer than one turn of the event loop should. */
export interface FanOutTask {
  /** Works until all is done (returns true) or `expired()` (returns false and is called again). */
  run(expired: () => boolean): boolean;
}

/** Together with the writes of the same turn this stays far below the 20 ms for which the event loop may be blocked. */
const sliceMs = 3;

/**
 * Runs deliveries in slices, one per turn of the event loop, rotating among tasks. Changes of one turn are delivered together in the
 * next.
 */
export class FanOut {
  readonly #waiting = new Set<FanOutTask>();
  #scheduled = false;

  /** Runs `task` soon, once, however often it is added before. */
  add(task: FanOutTask): void {
    this.#waiting.add(task);
    this.#schedule();
  }

  remove(task: FanOutTask): void {
    this.#waiting.delete(task);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#slice();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  #slice(): void {
    // Real time, whatever clock the store has: this is about the event loop.
    const end = performance.now() + sliceMs;
    const expired = (): boolean => performance.now() >= end;
    for (const task of this.#waiting) {
      // Removed before it runs, so that it may be added again meanwhile; an unfinished task queues behind the others.
      this.#waiting.delete(task);
      if (!task.run(expired)) this.#waiting.add(task);
      if (expired()) return;
    }
  }
}
