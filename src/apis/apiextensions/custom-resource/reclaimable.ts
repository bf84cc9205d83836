/** So that a request that needs it once more does not make it again, in one go perhaps. */
const heldMs = 10_000;

/** A value that can be recomputed. The garbage collector may free it some seconds after its use. */
export class Reclaimable<T extends object> {
  readonly #make: () => T;
  #kept: WeakRef<T> | undefined;
  #held: T | undefined;
  #release: NodeJS.Timeout | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get(): T {
    if (this.#held !== undefined) return this.#held;
    const kept = this.#kept?.deref();
    if (kept !== undefined) return this.#hold(kept);
    const made = this.#make();
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
