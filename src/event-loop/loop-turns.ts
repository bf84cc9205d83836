import { setImmediate as atEndOfRound } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { TurnQueue } from "./turn-queue.js";

/**
 * How many milliseconds of one round of the event loop waiting work may use, including events for watchers. The last step of each kind
 * may exceed it.
 */
const roundMs = 2.5;
/** How far into a round requests start and connections end, while other work waits. */
const requestsUntilMs = 1.5;
const endsUntilMs = 2;
/** After this much work in a round, the steps that wait leave the rest of it to input and output. */
const longWorkMs = 10;

/**
 * Shares the event loop among all long work of a process. Work of more than a few milliseconds runs in steps and awaits `take` before
 * each. A round of the event loop runs waiting steps until its time is used up; then input, output and timers follow. So many large
 * requests block the loop no longer than one of them: a round and one step.
 *
 * Events for watchers never wait here, but their time counts against the round. Of the waiting work, requests come first, because clients
 * wait for them, then the ends of connections, then everything else; each kind gets at least one step per round.
 */
export class LoopTurns {
  /** Requests that wait to begin. */
  readonly requests: TurnQueue;
  /** Connections that wait to be closed. */
  readonly ends: TurnQueue;
  /** Steps of longer work. */
  readonly work: TurnQueue;
  readonly #now: () => number;
  #isRunning = false;
  /** Time of this round spent on work that did not wait for a turn. */
  #spentMs = 0;
  #roundBeganAt: number | undefined;
  /** The start of the round that has just ended. */
  #endedRoundBeganAt: number | undefined;

  /** `now` is in milliseconds and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    const start = (): void => {
      if (!this.#isRunning) void this.#run();
    };
    this.requests = new TurnQueue(start);
    this.ends = new TurnQueue(start);
    this.work = new TurnQueue(start);
  }

  /** Counts work of this round that did not wait for a turn. */
  spent(ms: number): void {
    this.#spentMs += ms;
  }

  /** Whether `afterMs` have passed since the round's first call; by default, the time that long work may use. */
  isRoundOver(afterMs: number = roundMs): boolean {
    if (this.#roundBeganAt !== undefined) return this.#now() - this.#roundBeganAt >= afterMs;
    this.#roundBeganAt = this.#now();
    atEndOfRound(() => {
      this.#endedRoundBeganAt = this.#roundBeganAt;
      this.#roundBeganAt = undefined;
    });
    return false;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#spentMs = 0;
    while (!this.requests.isEmpty || !this.ends.isEmpty || !this.work.isEmpty) {
      this.#endedRoundBeganAt = undefined;
      await setImmediate();
      // Once only, or input could keep the steps waiting forever.
      if (this.#hasWorkedLong()) await setImmediate();
      const began = this.#now() - Math.min(this.#spentMs, roundMs);
      const served: TurnQueue[] = [];
      for (;;) {
        const queue = this.#next(this.#now() - began, served);
        if (queue === undefined) break;
        if (!served.includes(queue)) served.push(queue);
        queue.runNext();
        await stepDone();
      }
      // Time spent in the steps is already counted by the clock.
      this.#spentMs = 0;
    }
    this.#isRunning = false;
  }

  /** Whether work that input or a timer began has run long in this pass of the event loop, just before its immediates. */
  #hasWorkedLong(): boolean {
    const began = this.#endedRoundBeganAt ?? this.#roundBeganAt;
    return began !== undefined && this.#now() - began >= longWorkMs;
  }

  /** The queue that is next after this much of a round, in which the `served` queues already had a step. */
  #next(elapsedMs: number, served: readonly TurnQueue[]): TurnQueue | undefined {
    const { requests, ends, work } = this;
    const mayRun = (queue: TurnQueue, untilMs: number): boolean =>
      !queue.isEmpty && (elapsedMs < untilMs || !served.includes(queue));
    if (mayRun(requests, ends.isEmpty && work.isEmpty ? roundMs : requestsUntilMs)) return requests;
    if (mayRun(ends, work.isEmpty ? roundMs : endsUntilMs)) return ends;
    return mayRun(work, roundMs) ? work : undefined;
  }
}

/** Resolves when the running step, and all that follows from it without waiting, is done. */
function stepDone(): Promise<void> {
  // `process.nextTick` callbacks run when no microtasks are left; one requested by a microtask runs after all of them.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

/** One for the process, because there is one event loop. */
export const loopTurns = new LoopTurns();
