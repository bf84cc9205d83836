import { notFound } from "../../apimachinery/errors/status.js";

/** A further server on a copy of the store. */
export interface Fork {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a fork with the state of a snapshot, or of now. */
export type StartFork = (snapshot?: string) => Promise<Fork>;

export interface NamedFork {
  readonly name: string;
  readonly url: string;
}

/** The forks that were started through the lab's path, by name. */
export class Forks {
  readonly #start: StartFork;
  readonly #open = new Map<string, Fork>();
  #lastNumber = 0;

  constructor(start: StartFork) {
    this.#start = start;
  }

  async start(snapshot?: string): Promise<NamedFork> {
    const name = `fork-${++this.#lastNumber}`;
    const fork = await this.#start(snapshot);
    this.#open.set(name, fork);
    return { name, url: fork.url };
  }

  list(): readonly NamedFork[] {
    return [...this.#open].map(([name, { url }]) => ({ name, url }));
  }

  /** Rejects with a `StatusError` when there is none of this name. */
  async stop(name: string): Promise<void> {
    const fork = this.#open.get(name);
    if (fork === undefined) throw notFound({ group: "", resource: "forks" }, name);
    this.#open.delete(name);
    await fork.stop();
  }
}
