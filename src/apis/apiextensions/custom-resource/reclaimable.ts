import { allSteps, type Steps } from "../../../apimachinery/steps.js";

/** So that a request that needs it once more does not make it again, in one go perhaps. */
const heldMs = 10_000;

/** A value that can be recomputed. The garbage collector may free it some seconds after it was made. */
export class Reclaimable<T extends object> {
  readonly #make: () => Steps<T>;
  #kept: WeakRef<T> | undefined;
  #held: T | undefined;
  #release: NodeJS.Timeout | undefined;

  constructor(make: () => Steps<T>) {
    this.#make = make;
  }

  get(): T {
    return allSteps(this.steps());
  }

  /** The same in steps, when it has to be made. */
  *steps(): Steps<T> {
    const kept = this.#held ?? this.#kept?.deref();
    if (kept !== undefined) return kept;
    const made = yield* this.#make();
    this.#kept = new WeakRef(made);
    this.#held = made;
    clearTimeout(this.#release);
    this.#release = setTimeout(() => {
      this.#held = undefined;
    }, heldMs).unref();
    return made;
  }
}
