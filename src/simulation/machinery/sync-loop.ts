import { setTimeout } from "node:timers/promises";
import { WorkQueue } from "../../controllers/work-queue.js";
import type { Activity } from "./activity.js";
import type { SimulationContext } from "./simulation-context.js";

export interface SyncLoopOptions {
  /** Label of the work queue in metrics, and in the log. */
  readonly name: string;
  /** Keys that are worked on at the same time. Default 32. */
  readonly workers?: number | undefined;
  readonly sync: (key: string) => Promise<void>;
}

/** Changes that come together are one piece of work: many pods of a set become ready in the same moment. */
const soonMs = 8;

/**
 * The queue of one controller. Delays that belong to what is simulated are of the simulation's clock; those of retries, and the little
 * that lets changes gather, are real.
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

  /** Subscriptions that add keys: each is what ends it, when the loop is closed. */
  fedBy(...feeds: readonly (() => void)[]): void {
    this.#feeds.push(...feeds);
  }

  add(key: string): void {
    this.#queue.add(key);
  }

  /** In some milliseconds, together with what else happens to the key until then. */
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

  /** At a time of the simulation's clock, unless an earlier one is set already. */
  addAt(key: string, at: number): void {
    this.#queue.addAt(key, at);
  }

  /** Nothing is due for the key any more. */
  forget(key: string): void {
    this.#queue.forget(key);
  }

  async close(): Promise<void> {
    for (const end of this.#feeds.splice(0)) end();
    this.#gathering.clear();
    await this.#queue.close();
  }
}
