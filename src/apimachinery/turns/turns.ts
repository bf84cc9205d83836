import { setImmediate as atEndOfRound } from "node:timers";
import { setImmediate } from "node:timers/promises";

/** One piece of long work at a time: the next has its turn in the next round. */
const turnMs = 2.5;
/** What long work may take of one round of the event loop, all of it together; the last step of a round comes on top. */
const roundMs = 2.5;

/** Steps that wait for their turn, first come, first served. */
type Flow = (() => void)[];

/**
 * Shares the event loop among all long work of a process. Work of more than a few milliseconds runs in steps and awaits `take` before each. A
 * round of the event loop runs waiting steps until its time is used up; then input, output and timers follow. Many large requests thus hold
 * the loop no longer than one of them: a round and one step. Flows take turns, so that one user's many requests do not keep another's waiting.
 */
export class TurnQueue {
  readonly #now: () => number;
  /** Those that wait; the first is the next to have a turn. */
  readonly #flows = new Map<unknown, Flow>();
  #isRunning = false;

  /** `now` is in milliseconds and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the next step may run. `flow` names the one that the step belongs to; without it, the step is a flow of its own. */
  take(flow?: string): Promise<void> {
    return new Promise((resolve) => {
      const key = flow ?? resolve;
      const waiting = this.#flows.get(key);
      if (waiting === undefined) this.#flows.set(key, [resolve]);
      else waiting.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#flows.size > 0) {
      await setImmediate();
      const endsAt = this.#now() + roundMs;
      do {
        this.#runNext();
        await stepDone();
      } while (this.#flows.size > 0 && this.#now() < endsAt);
    }
    this.#isRunning = false;
  }

  #runNext(): void {
    const [next] = this.#flows;
    if (next === undefined) return;
    const [key, waiting] = next;
    const step = waiting.shift();
    // The flow goes to the end of the line.
    this.#flows.delete(key);
    if (waiting.length > 0) this.#flows.set(key, waiting);
    step?.();
  }
}

/** Resolves when what runs now, and all that follows of it without waiting for anything else, is done. */
function stepDone(): Promise<void> {
  // Ticks run when there are no microtasks left; one that is asked for by a microtask comes after all of them.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

const ofProcess = new TurnQueue();

/** Tells how long a round of the event loop has lasted since it was first asked for in that round. */
export class RoundClock {
  readonly #now: () => number;
  #beganAt: number | undefined;

  /** `now` is in milliseconds and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the round has lasted as long as long work may hold it. */
  isOver(): boolean {
    if (this.#beganAt !== undefined) return this.#now() - this.#beganAt >= roundMs;
    this.#beganAt = this.#now();
    atEndOfRound(() => {
      this.#beganAt = undefined;
    });
    return false;
  }
}

const roundOfProcess = new RoundClock();

/**
 * Before one of many small pieces of work that need not be done at once, or a stage of a longer one: waits for a turn when the event loop
 * has been held for long. Undefined when it has not.
 */
export function turnIfRoundIsOver(): Promise<void> | undefined {
  return roundOfProcess.isOver() ? takeAndCount() : undefined;
}

async function takeAndCount(): Promise<void> {
  await ofProcess.take();
  // What comes now is part of the new round, whether or not anyone else asks.
  roundOfProcess.isOver();
}

/**
 * Lets others use the event loop before a long request of this flow continues. Rejects with the signal's reason once that has aborted.
 */
export async function nextTurn(signal?: AbortSignal, flow?: string): Promise<void> {
  await ofProcess.take(flow);
  signal?.throwIfAborted();
}

/** The turns of one piece of long work that has many small steps: await `step` after each. */
export class Turns {
  readonly #flow: string | undefined;
  readonly #queue: TurnQueue;
  readonly #now: () => number;
  #endsAt: number;

  /** The first turn has begun. `flow`: see `TurnQueue.take`. */
  constructor(flow?: string, queue: TurnQueue = ofProcess, now: () => number = () => performance.now()) {
    this.#flow = flow;
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
    await this.#queue.take(this.#flow);
    this.#endsAt = this.#now() + turnMs;
    signal?.throwIfAborted();
  }
}
