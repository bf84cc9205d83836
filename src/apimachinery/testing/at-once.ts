import { allSteps, type Steps, type WaitingSteps } from "../steps.js";

/** The outcome of steps that turn out to wait for nothing. */
export function atOnce<T>(steps: WaitingSteps<T>): T {
  return allSteps(notWaiting(steps));
}

function* notWaiting<T>(steps: WaitingSteps<T>): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) throw new Error("a step waits");
    yield;
  }
}
