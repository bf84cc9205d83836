/** A computation that can be interrupted wherever it yields, to run with turns of the event loop in between (`stepsInTurns`). */
export type Steps<T> = Generator<void, T, void>;

/** The outcome, with a turn for others at every step where `takeTurn` says so. Rejects as `takeTurn` does. */
export async function stepsInTurns<T>(
  steps: Steps<T>,
  takeTurn: () => Promise<void> | undefined,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const turn = takeTurn();
    if (turn !== undefined) await turn;
  }
}

/** One to three milliseconds, before the functions that visit the values are optimized. */
const valuesPerStep = 500;

/**
 * Ends the steps of a computation after so many values. A recursive one must not yield at each value: what yields passes through every
 * generator above it.
 */
export class Pace {
  #left = valuesPerStep;

  /** Counts a value, or other work that takes as long as that many values; true at the end of a step. */
  isOver(values = 1): boolean {
    this.#left -= values;
    if (this.#left > 0) return false;
    this.#left = valuesPerStep;
    return true;
  }
}
