import { turnIfRoundIsOver } from "../event-loop/turns.js";
import { type Clock, systemClock } from "../time/clock.js";

/** Work that a queue retries when it rejects. */
export type Work<K> = (key: K) => Promise<void>;

export interface WorkQueueOptions<K> {
  readonly work: Work<K>;
  /** Items processed concurrently. */
  readonly workers: number;
  /** Called with every failure before the retry. */
  readonly onFailure: (key: K, error: unknown) => void;
  readonly observer?: QueueObserver | undefined;
  /** Clock for the times of `addAt`. Whoever moves it waits for the work. Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** Observes a work queue. */
export interface QueueObserver {
  /** Called once, with the queue. */
  observe(queue: ObservedQueue): void;
  added(): void;
  /** Called when work on a key begins; `waitedMs` is the time since the key was added. */
  started(waitedMs: number): void;
  finished(tookMs: number): void;
  retried(): void;
}

export interface ObservedQueue {
  /** Number of waiting keys. */
  readonly depth: number;
  /** When work on each key in progress began, in milliseconds of the monotonic clock. */
  readonly startTimes: Iterable<number>;
}

const firstRetryMs = 5;
const lastRetryMs = 60_000;

/**
 * A queue of keys. A key is queued once however often it is added, and never processed twice at the same time; a failure requeues it
 * after a delay that doubles from 5 ms to a minute.
 */
export class WorkQueue<K> {
  readonly #options: WorkQueueOptions<K>;
  /** Waiting keys, with the time at which each was added. */
  readonly #waiting = new Map<K, number>();
  /** Iterates over `#waiting` past the keys that were already taken: a new iterator would step over each deleted entry again. */
  #next: Iterator<[K, number]> = this.#waiting.entries();
  /** Keys in progress, with the time at which work began. */
  readonly #running = new Map<K, number>();
  /** Keys added again while being processed. */
  readonly #again = new Set<K>();
  readonly #failures = new Map<K, number>();
  readonly #timers = new Map<K, NodeJS.Timeout>();
  readonly #wakes = new Map<K, { readonly at: number; readonly cancel: () => void }>();
  readonly #clock: Clock;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(options: WorkQueueOptions<K>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    options.observer?.observe(this);
  }

  get depth(): number {
    return this.#waiting.size;
  }

  get startTimes(): Iterable<number> {
    return this.#running.values();
  }

  add(key: K): void {
    if (this.#closed || this.#waiting.has(key) || this.#again.has(key)) return;
    this.#options.observer?.added();
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#waiting.set(key, performance.now());
    this.#start();
  }

  /** Adds after `delayMs` of the machine's clock: a pause before a retry, or while others act. */
  addAfter(key: K, delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timers.get(key));
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.add(key);
    }, delayMs);
    timer.unref();
    this.#timers.set(key, timer);
  }

  /** At a time of the clock, unless an earlier one is set already. */
  addAt(key: K, at: number): void {
    const now = this.#clock.now();
    const wake = this.#wakes.get(key);
    if (this.#closed || (wake !== undefined && wake.at <= at && wake.at > now)) return;
    wake?.cancel();
    this.#wait(key, at, now);
  }

  #wait(key: K, at: number, now: number): void {
    const cancel = this.#clock.schedule(Math.max(0, at - now), () => {
      const then = this.#clock.now();
      // A timer of the machine may fire a millisecond early, but nothing is processed before it is due.
      if (then < at) return this.#wait(key, at, then);
      this.#wakes.delete(key);
      this.add(key);
    });
    this.#wakes.set(key, { at, cancel });
  }

  /** Cancels `addAt`. */
  forget(key: K): void {
    this.#wakes.get(key)?.cancel();
    this.#wakes.delete(key);
  }

  /** Accepts no more keys; resolves when current work is done. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    for (const { cancel } of this.#wakes.values()) cancel();
    this.#wakes.clear();
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #start(): void {
    while (this.#waiting.size > 0 && this.#running.size < this.#options.workers) {
      const { value, done } = this.#next.next();
      if (done === true) {
        this.#next = this.#waiting.entries();
        continue;
      }
      const [key, addedAt] = value;
      this.#waiting.delete(key);
      const now = performance.now();
      this.#running.set(key, now);
      this.#options.observer?.started(now - addedAt);
      const run = this.#run(key, now);
      this.#clock.track(run);
    }
  }

  async #run(key: K, startedAt: number): Promise<void> {
    try {
      // Work that finds nothing to do never waits, so tens of thousands of keys would be done in one round of the event loop.
      await turnIfRoundIsOver();
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      if (!this.#closed) this.#retry(key, error);
    }
    this.#running.delete(key);
    this.#options.observer?.finished(performance.now() - startedAt);
    if (this.#again.delete(key) && !this.#closed) this.#waiting.set(key, performance.now());
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    this.#start();
  }

  #retry(key: K, error: unknown): void {
    this.#options.onFailure(key, error);
    this.#options.observer?.retried();
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.addAfter(key, Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20)));
  }
}
