import type { Clock } from "../../time/clock.js";

const firstBackoffMs = 100;
const lastBackoffMs = 10_000;

interface Waiting {
  readonly attempts: number;
  readonly retryAt: number;
}

/**
 * The pods that wait for a node: the most important first, then in order of arrival. A pod that fits nowhere waits until something in the
 * cluster changes, and for a delay that doubles with each attempt, up to ten seconds.
 */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #active = new Map<number, Set<string>>();
  /** The priorities in `#active`, the largest first. */
  #priorities: number[] = [];
  readonly #priorityOf = new Map<string, number>();
  readonly #unschedulable = new Map<string, Waiting>();
  readonly #timers = new Map<string, () => void>();

  /** `wake` is called when a pod becomes available. */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  add(key: string, priority: number): void {
    if (this.#unschedulable.has(key)) return;
    this.#activate(key, priority);
  }

  remove(key: string): void {
    this.#leave(key);
    this.#unschedulable.delete(key);
    this.#cancel(key);
    this.#priorityOf.delete(key);
  }

  take(): string | undefined {
    for (const priority of this.#priorities) {
      const keys = this.#active.get(priority);
      for (const key of keys ?? []) {
        this.#leave(key);
        return key;
      }
    }
    return undefined;
  }

  /** Puts a pod aside that no node fits. */
  park(key: string, priority: number): void {
    const attempts = (this.#unschedulable.get(key)?.attempts ?? 0) + 1;
    const backoffMs = Math.min(lastBackoffMs, firstBackoffMs * 2 ** Math.min(10, attempts - 1));
    this.#priorityOf.set(key, priority);
    this.#unschedulable.set(key, { attempts, retryAt: this.#clock.now() + backoffMs });
  }

  /** Tries all pods again after a change that may let them fit. */
  retryAll(): void {
    for (const key of this.#unschedulable.keys()) this.retry(key);
  }

  retry(key: string): void {
    const waiting = this.#unschedulable.get(key);
    if (waiting === undefined || this.#timers.has(key)) return;
    const delayMs = waiting.retryAt - this.#clock.now();
    if (delayMs <= 0) {
      this.#activate(key, this.#priorityOf.get(key) ?? 0);
      return;
    }
    const cancel = this.#clock.schedule(delayMs, () => {
      this.#timers.delete(key);
      if (this.#unschedulable.has(key)) this.#activate(key, this.#priorityOf.get(key) ?? 0);
    });
    this.#timers.set(key, cancel);
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#active.clear();
    this.#priorities = [];
  }

  #activate(key: string, priority: number): void {
    this.#priorityOf.set(key, priority);
    const keys = this.#active.get(priority);
    if (keys === undefined) {
      this.#active.set(priority, new Set([key]));
      this.#priorities = [...this.#active.keys()].sort((a, b) => b - a);
    } else keys.add(key);
    this.#wake();
  }

  #leave(key: string): void {
    const priority = this.#priorityOf.get(key);
    if (priority === undefined) return;
    const keys = this.#active.get(priority);
    keys?.delete(key);
    if (keys?.size !== 0) return;
    this.#active.delete(priority);
    this.#priorities = this.#priorities.filter((each) => each !== priority);
  }

  #cancel(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }
}
