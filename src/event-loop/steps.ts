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
