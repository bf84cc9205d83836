import { allSteps, type Steps } from "../../../apimachinery/steps.js";

/** A value that can be recomputed, held weakly so that the garbage collector may free it. */
export class Reclaimable<T extends object> {
  readonly #make: () => Steps<T>;
  #kept: WeakRef<T> | undefined;

  constructor(make: () => Steps<T>) {
    this.#make = make;
  }

  get(): T {
    return allSteps(this.steps());
  }

  /** The same in steps, when it has to be made. */
  *steps(): Steps<T> {
    const kept = this.#kept?.deref();
    if (kept !== undefined) return kept;
    const made = yield* this.#make();
    this.#kept = new WeakRef(made);
    return made;
  }
}
