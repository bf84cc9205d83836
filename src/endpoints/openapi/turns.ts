import { setImmediate } from "node:timers/promises";

/** Lets other requests have their turn while something large is made: pauses after every so many steps. */
export class Turns {
  readonly #stepsPerTurn: number;
  #steps = 0;

  constructor(stepsPerTurn: number) {
    this.#stepsPerTurn = stepsPerTurn;
  }

  /** After each step. */
  async step(): Promise<void> {
    this.#steps++;
    if (this.#steps % this.#stepsPerTurn === 0) await setImmediate();
  }
}
