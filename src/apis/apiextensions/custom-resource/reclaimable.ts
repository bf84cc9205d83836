import { allSteps, type Steps } from "../../../apimachinery/steps.js";

/** So that a request that needs it once more does not make it again, in one go perhaps. */
const heldMs = 10_000;

/** A value that can be recomputed. The garbage collector may free it some seconds after its use. */
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
    if (this.#held !== undefined) return this.#held;
    const kept = this.#kept?.deref();
    if (kept !== undefined) return this.#hold(kept);
    const made = yield* this.#make();
    this.#kept = new WeakRef(made);
    return this.#hold(made);
  }

  #hold(value: T): T {
    this.#held = value;
    clearTimeout(this.#release);
    this.#release = setTimeout(() => {
      this.#held = undefined;
    }, heldMs).unref();
    return value;
  }
}
