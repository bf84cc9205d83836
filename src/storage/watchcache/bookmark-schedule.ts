import { addToSet, removeFromSet } from "../../apimachinery/collections/groups.js";
import type { Clock } from "../../time/clock.js";

const tickMs = 1000;

/** Wakes entries in the second when they are due, with one timer for all, and none without entries. */
export class BookmarkSchedule<E> {
  readonly #clock: Clock;
  readonly #due: (entries: ReadonlySet<E>) => void;
  readonly #dueSoon: () => void;
  readonly #bySecond = new Map<number, Set<E>>();
  readonly #secondOf = new Map<E, number>();
  #passedSecond = 0;
  #cancel: (() => void) | undefined;

  /** `dueSoon` is called when entries will be due in the next tick. */
  constructor(clock: Clock, due: (entries: ReadonlySet<E>) => void, dueSoon: () => void) {
    this.#clock = clock;
    this.#due = due;
    this.#dueSoon = dueSoon;
  }

  /** Moves `entry` to `at`, in milliseconds of the clock. */
  set(entry: E, at: number): void {
    this.delete(entry);
    if (this.#secondOf.size === 0) this.#passedSecond = this.#second(this.#clock.now());
    // Rounded down: early is better than late before a deadline.
    const second = Math.max(this.#second(at), this.#passedSecond + 1);
    addToSet(this.#bySecond, second, entry);
    this.#secondOf.set(entry, second);
    this.#start();
  }

  delete(entry: E): void {
    const second = this.#secondOf.get(entry);
    if (second === undefined) return;
    this.#secondOf.delete(entry);
    removeFromSet(this.#bySecond, second, entry);
    if (this.#secondOf.size === 0) this.stop();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #start(): void {
    this.#cancel ??= this.#clock.schedule(tickMs, () => {
      this.#cancel = undefined;
      this.#tick();
      if (this.#secondOf.size > 0) this.#start();
    });
  }

  #tick(): void {
    const current = this.#second(this.#clock.now());
    // After the machine slept, iterate over the seconds that have entries rather than over every second that passed.
    const seconds = [...this.#bySecond.keys()].filter((second) => second <= current);
    this.#passedSecond = Math.max(current, this.#passedSecond);
    for (const second of seconds.sort((a, b) => a - b)) {
      const entries = this.#bySecond.get(second);
      this.#bySecond.delete(second);
      if (entries === undefined) continue;
      for (const entry of entries) this.#secondOf.delete(entry);
      this.#due(entries);
    }
    if (this.#bySecond.has(this.#passedSecond + 1)) this.#dueSoon();
  }

  #second(milliseconds: number): number {
    return Math.floor(milliseconds / tickMs);
  }
}
