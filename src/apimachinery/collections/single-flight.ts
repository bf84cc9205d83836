/**
 * Values that take time to make, by name: made on first use, once for all concurrent callers. A failure is not kept.
 */
export class SingleFlight<T> {
  readonly #made = new Map<string, Promise<T>>();

  get(name: string, make: () => Promise<T>): Promise<T> {
    let made = this.#made.get(name);
    if (made === undefined) {
      made = make();
      this.#made.set(name, made);
      made.catch(() => this.#made.delete(name));
    }
    return made;
  }
}
