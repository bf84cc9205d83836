import { setImmediate } from "node:timers/promises";

/** Two pieces of long work have a turn in each round. */
const turnMs = 2.5;
/** What long work may take of one round of the event loop, all of it together; the last step of a round comes on top. */
const roundMs = 5;

/**
 * Shares the event loop among all long work of a process. Work of more than a few milliseconds runs in steps and awaits `take` before each. A
 * round of the event loop runs waiting steps, first come, first served, until its time is used up; then input, output and timers follow.
 * Many large requests thus hold the loop no longer than one of them: a round and one step.
 */
export class TurnQueue {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  /** `now` is in milliseconds and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the next step may run. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await setImmediate();
      const endsAt = this.#now() + roundMs;
      do {
        this.#waiting.shift()?.();
        await stepDone();
      } while (this.#waiting.length > 0 && this.#now() < endsAt);
    }
    this.#isRunning = false;
  }
}

/** Resolves when what runs now, and all that follows of it without waiting for anything else, is done. */
function stepDone(): Promise<void> {
  // Ticks run when there are no microtasks left; one that is asked for by a microtask comes after all of them.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

const ofProcess = new TurnQueue();

/**
 * Lets others use the event loop before a long request continues. Rejects with the signal's reason once that has aborted.
 */
export async function nextTurn(signal?: AbortSignal): Promise<void> {
  await ofProcess.take();
  signal?.throwIfAborted();
}

/** The turns of one piece of long work that has many small steps: await `step` after each. */
export class Turns {
  readonly #queue: TurnQueue;
  readonly #now: () => number;
  #endsAt: number;

  /** The first turn has begun. */
  constructor(queue: TurnQueue = ofProcess, now: () => number = () => performance.now()) {
    this.#queue = queue;
    this.#now = now;
    this.#endsAt = now() + turnMs;
  }

  async step(): Promise<void> {
    if (this.isOver()) await this.next();
  }

  /** Whether it is time to await `next`. Reading the clock takes as long as a small step. */
  isOver(): boolean {
    return this.#now() >= this.#endsAt;
  }

  /** Rejects with the signal's reason once that has aborted. */
  async next(signal?: AbortSignal): Promise<void> {
    await this.#queue.take();
    this.#endsAt = this.#now() + turnMs;
    signal?.throwIfAborted();
  }
}
