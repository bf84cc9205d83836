import type { RunWork } from "../apimachinery/objects/run-work.js";
import { loopTurns } from "./loop-turns.js";
import type { TakesTurns } from "./turn-queue.js";

/** How long one piece of long work runs before it waits for its next turn. */
const turnMs = 2.5;

/**
 * Await it before a small piece of work that is not urgent, or a stage of longer work: waits for a turn if this round's time is used up.
 * Undefined otherwise.
 */
export function turnIfRoundIsOver(): Promise<void> | undefined {
  return loopTurns.isRoundOver() ? takeAndCount() : undefined;
}

/** Runs work at once, or in a turn of its own if this round's time is used up. */
export const runInTurn: RunWork = (work) => {
  const turn = turnIfRoundIsOver();
  return turn === undefined ? work() : turn.then(work);
};

async function takeAndCount(): Promise<void> {
  await loopTurns.work.take();
  // This work starts a new round, even if nothing else asks.
  loopTurns.isRoundOver();
}

/**
 * Lets other work use the event loop before a long request of this flow continues. Rejects with the signal's reason once that has aborted.
 */
export async function nextTurn(signal?: AbortSignal, flow?: string): Promise<void> {
  await loopTurns.work.take(flow);
  signal?.throwIfAborted();
}

/** Calls the parts of a piece of long work, each in a turn of its own, before it takes the next. */
export async function inTurns(parts: Iterable<() => void>): Promise<void> {
  for (const part of parts) {
    await nextTurn();
    part();
  }
}

/** The turns of one piece of long work that has many small steps: await `step` after each. */
export class Turns {
  readonly #flow: string | undefined;
  readonly #queue: TakesTurns;
  readonly #now: () => number;
  #endsAt: number;

  /** Starts with a turn. `flow`: see `TakesTurns`. */
  constructor(
    flow?: string,
    queue: TakesTurns = loopTurns.work,
    now: () => number = () => performance.now(),
  ) {
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
