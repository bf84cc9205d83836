import { Informer, type InformerOptions } from "./informer.js";

interface Started {
  readonly hasSynced: boolean;
  readonly synced: Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The informers of a server: made with its parts, started before it listens, stopped with it. */
export class Informers {
  readonly #all = new Set<Started>();
  #isStarted = false;

  /** An informer created after `start` starts at once. */
  add<T, V, I extends string = never>(options: InformerOptions<T, V, I>): Informer<T, V, I> {
    const informer = new Informer(options);
    this.#all.add(informer);
    // Watching a store does not reject; failures are retried.
    if (this.#isStarted) void informer.start();
    return informer;
  }

  /** Removes one that is no longer needed. */
  async remove(informer: Started): Promise<void> {
    this.#all.delete(informer);
    await informer.stop();
  }

  /** How many have not seen their state yet. */
  get notSynced(): number {
    let count = 0;
    for (const { hasSynced } of this.#all) if (!hasSynced) count++;
    return count;
  }

  /** Resolves when every informer made so far has seen its state. */
  async start(): Promise<void> {
    this.#isStarted = true;
    await Promise.all(
      [...this.#all].map(async (informer) => {
        await informer.start();
        await informer.synced;
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#all].map((informer) => informer.stop()));
  }
}
