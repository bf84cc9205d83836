/** A value that can be recomputed, held weakly so that the garbage collector may free it. */
export class Reclaimable<T extends object> {
  readonly #make: () => T;
  #kept: WeakRef<T> | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get(): T {
    const kept = this.#kept?.deref();
    if (kept !== undefined) return kept;
    const made = this.#make();
    this.#kept = new WeakRef(made);
    return made;
  }
}
