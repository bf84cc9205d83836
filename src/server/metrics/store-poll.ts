import { timerMs } from "../../time/clock.js";

/** Statistics of the backing stores, as of the last poll. */
export interface StoreFigures {
  /** By resource: `deployments.apps`. -1 where the last count failed. */
  readonly objects: ReadonlyMap<string, number>;
  /** Bytes of these objects, by resource. -1 where they are unknown. */
  readonly objectBytes: ReadonlyMap<string, number>;
  /** Bytes, by the store's servers or its directory. */
  readonly sizes: ReadonlyMap<string, number>;
}

export interface PolledResource {
  readonly name: string;
  count(): Promise<number>;
  /** Bytes of all its objects; undefined when unknown. */
  readonly bytes?: number | undefined;
}

export interface PolledStores {
  readonly stored: Iterable<PolledResource>;
  sizes(): Promise<readonly { readonly endpoint: string; readonly bytes: number }[]>;
}

export interface StorePollOptions {
  readonly stores: PolledStores;
  /** Milliseconds between counts of objects; 0 for none. */
  readonly countPeriodMs: number;
  /** Milliseconds between checks of sizes; 0 for none. */
  readonly sizePeriodMs: number;
  /** Stops polling. */
  readonly stopping: AbortSignal;
}

/** Polls the stores only after metrics were first requested: without requests it costs nothing. */
export class StorePoll {
  readonly #options: StorePollOptions;
  readonly #objects = new Map<string, number>();
  readonly #objectBytes = new Map<string, number>();
  readonly #sizes = new Map<string, number>();
  #started: Promise<void> | undefined;

  constructor(options: StorePollOptions) {
    this.#options = options;
  }

  /** The latest figures; the first call waits for them. */
  async figures(): Promise<StoreFigures> {
    this.#started ??= this.#start();
    await this.#started;
    return { objects: this.#objects, objectBytes: this.#objectBytes, sizes: this.#sizes };
  }

  async #start(): Promise<void> {
    const { countPeriodMs, sizePeriodMs } = this.#options;
    await Promise.all([
      this.#repeat(countPeriodMs, () => this.#count()),
      this.#repeat(sizePeriodMs, () => this.#measure()),
    ]);
  }

  /** Resolves after the first poll. */
  async #repeat(periodMs: number, look: () => Promise<void>): Promise<void> {
    const { stopping } = this.#options;
    if (periodMs <= 0) return;
    await look();
    if (stopping.aborted) return;
    let running = false;
    const every = timerMs(periodMs);
    const timer = setInterval(() => {
      if (running) return;
      running = true;
      void look().finally(() => {
        running = false;
      });
    }, every);
    timer.unref();
    stopping.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  async #count(): Promise<void> {
    const stored = [...this.#options.stores.stored];
    const names = new Set(stored.map(({ name }) => name));
    for (const name of this.#objects.keys()) {
      if (names.has(name)) continue;
      this.#objects.delete(name);
      this.#objectBytes.delete(name);
    }
    for (const resource of stored) {
      const count = await resource.count().catch(() => -1);
      this.#objects.set(resource.name, count);
      this.#objectBytes.set(resource.name, resource.bytes ?? (count === 0 ? 0 : -1));
    }
  }

  async #measure(): Promise<void> {
    try {
      for (const { endpoint, bytes } of await this.#options.stores.sizes()) this.#sizes.set(endpoint, bytes);
    } catch {
      // The last size is kept; health checks report a store that does not answer.
    }
  }
}
