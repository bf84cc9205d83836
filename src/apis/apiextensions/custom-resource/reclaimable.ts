/** Keeps a value alive this long, so that a request that needs it twice computes it once. */
const heldMs = 10_000;

/** A value that can be recomputed. The garbage collector may free it some seconds after its last use. */
export class Reclaimable<T extends object> {
  readonly #make: () => T;
  #kept: WeakRef<T> | undefined;
  #held: T | undefined;
  #release: NodeJS.Timeout | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get(): T {
    return this.known() ?? this.set(this.#make());
  }

  /** The value if it is there. */
  known(): T | undefined {
    if (this.#held !== undefined) return this.#held;
    const kept = this.#kept?.deref();
    return kept === undefined ? undefined : this.#hold(kept);
  }

  /** Stores a value that was computed elsewhere. */
  set(made: T): T {
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
