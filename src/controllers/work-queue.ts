/** Work that a queue retries when it rejects. */
export type Work<K> = (key: K) => Promise<void>;

export interface WorkQueueOptions<K> {
  readonly work: Work<K>;
  /** Items processed concurrently. */
  readonly workers: number;
  /** Called with every failure before the retry. */
  readonly onFailure: (key: K, error: unknown) => void;
}

const firstRetryMs = 5;
const lastRetryMs = 60_000;

/**
 * A queue of keys. A key is queued once however often it is added, and never processed twice at the same time; a failure requeues it
 * after a delay that doubles from 5 ms to a minute.
 */
export class WorkQueue<K> {
  readonly #options: WorkQueueOptions<K>;
  readonly #waiting = new Set<K>();
  readonly #running = new Set<K>();
  /** Keys added again while being processed. */
  readonly #again = new Set<K>();
  readonly #failures = new Map<K, number>();
  readonly #timers = new Map<K, NodeJS.Timeout>();
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(options: WorkQueueOptions<K>) {
    this.#options = options;
  }

  add(key: K): void {
    if (this.#closed) return;
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#start();
  }

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

  /** Accepts no more keys; resolves when current work is done. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #start(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.workers) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#run(key);
    }
  }

  async #run(key: K): Promise<void> {
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      if (!this.#closed) this.#retry(key, error);
    }
    this.#running.delete(key);
    if (this.#again.delete(key) && !this.#closed) this.#waiting.add(key);
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    this.#start();
  }

  #retry(key: K, error: unknown): void {
    this.#options.onFailure(key, error);
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.addAfter(key, Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20)));
  }
}
