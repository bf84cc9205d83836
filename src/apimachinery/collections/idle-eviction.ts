/**
 * Drops items that were not used for one to two periods. There is one timer for all, which runs only while there are items and does not
 * keep the process alive.
 */
export class IdleEviction<T> {
  readonly #periodMs: number;
  readonly #forget: (item: T) => void;
  /** Used since the timer last fired, and in the period before. */
  #recent = new Set<T>();
  #older = new Set<T>();
  #timer: NodeJS.Timeout | undefined;

  constructor(periodMs: number, forget: (item: T) => void) {
    this.#periodMs = periodMs;
    this.#forget = forget;
  }

  used(item: T): void {
    if (this.#recent.has(item)) return;
    this.#recent.add(item);
    this.#older.delete(item);
    this.#timer ??= setInterval(() => this.#age(), this.#periodMs).unref();
  }

  /** At once. */
  forgetAllBut(item: T): void {
    this.#recent.delete(item);
    this.#older.delete(item);
    this.#clear(this.#recent);
    this.#clear(this.#older);
    this.#recent.add(item);
  }

  #age(): void {
    this.#clear(this.#older);
    [this.#older, this.#recent] = [this.#recent, this.#older];
    if (this.#older.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #clear(items: Set<T>): void {
    for (const item of items) this.#forget(item);
    items.clear();
  }
}
