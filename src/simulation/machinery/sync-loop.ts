import { setTimeout } from "node:timers/promises";
import { WorkQueue } from "../../controllers/work-queue.js";
import type { Activity } from "./activity.js";
import type { SimulationContext } from "./simulation-context.js";

export interface SyncLoopOptions {
  /** The name of the work queue in metrics, and in the log. */
  readonly name: string;
  /** Keys to work on at the same time. Default 32. */
  readonly workers?: number | undefined;
  readonly sync: (key: string) => Promise<void>;
}

/** Changes within this time are handled together: many pods of a set become ready at the same moment. */
const soonMs = 8;

/**
 * The queue of one controller. Delays that are part of the simulation run on its clock; those of retries, and the short one that gathers
 * changes, run on the real one.
 */
export class SyncLoop {
  readonly #context: SimulationContext;
  readonly #activity: Activity;
  readonly #queue: WorkQueue<string>;
  readonly #feeds: (() => void)[] = [];
  readonly #gathering = new Set<string>();
  #isGathering = false;

  constructor(context: SimulationContext, activity: Activity, { name, workers = 32, sync }: SyncLoopOptions) {
    this.#context = context;
    this.#activity = activity;
    this.#queue = new WorkQueue({
      observer: context.observeQueue?.(`simulated_${name}`),
      workers,
      clock: context.clock,
      work: (key) => activity.during(() => sync(key)),
      onFailure: (key, error) =>
        context.log.verbose({ level: 2, file: "simulation/machinery/sync-loop" }, "will be tried again", {
          controller: name,
          key,
          reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    });
  }

  /** Takes the functions that end subscriptions, and calls them when the loop is closed. */
  fedBy(...feeds: readonly (() => void)[]): void {
    this.#feeds.push(...feeds);
  }

  add(key: string): void {
    this.#queue.add(key);
  }

  /** Adds the key after some milliseconds, so that further changes to it are handled together. */
  addSoon(key: string): void {
    this.#gathering.add(key);
    if (this.#isGathering) return;
    this.#isGathering = true;
    const gathered = this.#activity.during(async () => {
      await setTimeout(soonMs);
      this.#isGathering = false;
      const keys = [...this.#gathering];
      this.#gathering.clear();
      for (const each of keys) this.#queue.add(each);
    });
    this.#context.clock.track(gathered);
  }

  /** Adds the key at a time of the simulation's clock, unless an earlier one is set. */
  addAt(key: string, at: number): void {
    this.#queue.addAt(key, at);
  }

  /** Drops what is due for the key. */
  forget(key: string): void {
    this.#queue.forget(key);
  }

  async close(): Promise<void> {
    for (const end of this.#feeds.splice(0)) end();
    this.#gathering.clear();
    await this.#queue.close();
  }
}
