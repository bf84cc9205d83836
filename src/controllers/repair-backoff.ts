const firstWaitMs = 1000;
const lastWaitMs = 600_000;

/**
 * How soon to restore an object that another writer keeps changing: at once, then after a delay that doubles from a second to ten
 * minutes, and at once again after twice that time without changes. Otherwise two writers that disagree would write as fast as the store
 * can.
 */
export class RepairBackoff<K> {
  readonly #last = new Map<K, { readonly at: number; readonly waitMs: number }>();

  /** How long to wait before repairing `key`, at the time `now`, in milliseconds. */
  waitMs(key: K, now: number): number {
    const last = this.#last.get(key);
    return last === undefined ? 0 : Math.max(0, last.at + last.waitMs - now);
  }

  repaired(key: K, now: number): void {
    const last = this.#last.get(key);
    const isUndone = last !== undefined && now - last.at <= 2 * last.waitMs;
    this.#last.set(key, { at: now, waitMs: isUndone ? Math.min(2 * last.waitMs, lastWaitMs) : firstWaitMs });
  }

  forget(key: K): void {
    this.#last.delete(key);
  }
}
