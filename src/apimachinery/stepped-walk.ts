import type { Steps } from "./steps.js";

/** One to three milliseconds, before the walk's functions are optimized. */
const valuesPerStep = 1_000;

/**
 * Lets a recursive walk over a large value end its step in the middle. For each value the walk asks `isOver`. Once a step is over, every
 * function of the walk puts off what is left of its list or object and returns. The rest follows in the next step, innermost first, so
 * everything happens in the same order as without steps. What a walk makes is complete once `steps` has ended.
 */
export class SteppedWalk {
  readonly #valuesPerStep: number;
  #left: number;
  readonly #putOff: (() => void)[] = [];

  /** `values` is how many one step visits. Infinity makes a walk that is never over. */
  constructor(values = valuesPerStep) {
    this.#valuesPerStep = values;
    this.#left = values;
  }

  /** Counts a value. When this is true, the value and all that follow it must be put off. */
  isOver(): boolean {
    return --this.#left < 0;
  }

  /** Counts a value that is not put off, or other work that takes as long as that many values. */
  count(values = 1): void {
    this.#left -= values;
  }

  /** Whether the step is over, without counting a value. */
  get hasEnded(): boolean {
    return this.#left < 0;
  }

  putOff(rest: () => void): void {
    this.#putOff.push(rest);
  }

  /** Runs what must follow the values before it: at once, unless some of them were put off. */
  after(rest: () => void): void {
    if (this.#left < 0) this.#putOff.push(rest);
    else rest();
  }

  /** What was put off. */
  *steps(): Steps<void> {
    const waiting: (() => void)[] = [];
    for (;;) {
      for (let rest = this.#putOff.pop(); rest !== undefined; rest = this.#putOff.pop()) waiting.push(rest);
      const next = waiting.pop();
      if (next === undefined) return;
      if (this.#left < 0) {
        yield;
        this.#left = this.#valuesPerStep;
      }
      next();
    }
  }
}
