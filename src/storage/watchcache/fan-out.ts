import { loopTurns } from "../../event-loop/loop-turns.js";

/** A unit of delivery that may take longer than one turn of the event loop should. */
export interface FanOutTask {
  /** Works until all is done (returns true) or `expired()` (returns false and is called again). */
  run(expired: () => boolean): boolean;
}

/** With the writes of the same turn, this stays far below the 20 ms for which the event loop may be blocked. */
const sliceMs = 3;
/** At least this many watchers get an event with its commit, regardless of the time, because the clock also counts other processes. */
const watchersMin = 32;

/**
 * Delivers events to watchers. Events that are applied together are delivered together, before the callers that wait for their writes
 * continue, so that events are sent when the writes are answered. What does not fit in one slice continues in further slices, one per
 * turn of the event loop, in which the tasks rotate.
 */
export class FanOut {
  readonly #fresh = new Set<FanOutTask>();
  readonly #waiting = new Set<FanOutTask>();
  #delivers = false;
  #scheduled = false;
  #flush: (() => boolean) | undefined;
  #leaving: Promise<void> | undefined;

  /**
   * `flush` is called after each slice, to send what the sinks were given. It returns whether some of it leaves only at the end of this
   * turn of the event loop.
   */
  sendBy(flush: () => boolean): void {
    this.#flush = flush;
  }

  /** Resolves when the events delivered so far have left the process; undefined when they have. */
  get leaving(): Promise<void> | undefined {
    return this.#leaving;
  }

  /** Runs `task` once, however often it is added before: as a microtask, unless it was stopped halfway. */
  deliver(task: FanOutTask): void {
    // It is already queued, because its watchers lag behind.
    if (this.#waiting.has(task)) return;
    this.#fresh.add(task);
    if (this.#delivers) return;
    this.#delivers = true;
    queueMicrotask(this.#deliverFresh);
  }

  /** Runs `task` in the next turn, once, however often it is added before. */
  add(task: FanOutTask): void {
    this.#waiting.add(task);
    this.#schedule();
  }

  remove(task: FanOutTask): void {
    this.#fresh.delete(task);
    this.#waiting.delete(task);
  }

  readonly #deliverFresh = (): void => {
    this.#delivers = false;
    this.#slice(this.#fresh, watchersMin);
    for (const task of this.#fresh) this.#waiting.add(task);
    this.#fresh.clear();
    if (this.#waiting.size > 0) this.#schedule();
  };

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#slice(this.#waiting, 1);
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  #slice(tasks: Set<FanOutTask>, deliveriesMin: number): void {
    // Real time, whatever clock the store has, because this is about the event loop.
    const began = performance.now();
    const end = began + sliceMs;
    let deliveries = 0;
    const expired = (): boolean => ++deliveries >= deliveriesMin && performance.now() >= end;
    for (const task of tasks) {
      // Removed before it runs, so that it may be added again meanwhile; an unfinished task queues behind the others.
      tasks.delete(task);
      if (!task.run(expired)) this.#waiting.add(task);
      if (expired()) break;
    }
    if (this.#flush?.() === true) this.#leaveWithTurn();
    loopTurns.spent(performance.now() - began);
  }

  #leaveWithTurn(): void {
    const leaving = new Promise<void>((resolve) => {
      setImmediate(() => {
        if (this.#leaving === leaving) this.#leaving = undefined;
        resolve();
      });
    });
    this.#leaving = leaving;
  }
}
