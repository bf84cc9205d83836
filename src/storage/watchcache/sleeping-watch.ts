import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { noRevision, type Revision, toRevision } from "../kv.js";
import type { WatchHandle } from "../object-store.js";
import type { CacheFeed } from "./cache-feed.js";

export interface SleepingWatchOptions {
  readonly feed: Pick<CacheFeed, "awaitWrite" | "isEmpty">;
  readonly clock: Clock;
  /** Prefix of the collection; ends with a slash. */
  readonly prefix: string;
  /** Starts the watch: after this revision, or with the state if it is undefined. */
  readonly wake: (after: Revision | undefined) => Promise<WatchHandle>;
}

const retryPauseMs = 1000;

/**
 * A watch of a collection that may stay empty forever. It starts with the first object; until then the collection has neither a cache nor a
 * watch of its own.
 */
export class SleepingWatch implements WatchHandle {
  readonly #options: SleepingWatchOptions;
  #isStopped = false;
  #isEmpty = false;
  #woken: Promise<WatchHandle> | undefined;
  #firstWrite: Revision | undefined;
  #stopWaiting: () => void = () => undefined;

  constructor(options: SleepingWatchOptions) {
    this.#options = options;
  }

  /**
   * Resolves when every later write will be noticed, and the watch has started if there are objects already; if the store does not
   * answer, after the first attempt.
   */
  async begin(): Promise<void> {
    const { feed, prefix } = this.#options;
    const wait = feed.awaitWrite(prefix, (revision) => this.#written(revision));
    this.#stopWaiting = wait.stop;
    await wait.started;
    // With a thousand custom resource definitions, this many start at once.
    await turnIfRoundIsOver();
    if (this.#isStopped) return;
    await this.#look().catch(() => void this.#lookAgain());
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWaiting();
    void this.#woken?.then((watch) => watch.stop());
  }

  #written(revision: Revision | undefined): void {
    if (this.#isStopped) return;
    if (revision === undefined) {
      this.#isEmpty = false;
      this.begin().catch(() => undefined); // handles its failures
    } else if (this.#isEmpty) {
      void this.#wake(revision);
    } else {
      // There may be older objects: `#look` finds out.
      this.#firstWrite ??= revision;
    }
  }

  async #look(): Promise<void> {
    const { feed, prefix } = this.#options;
    const isEmpty = await feed.isEmpty(prefix);
    if (this.#isStopped || this.#woken !== undefined) return;
    if (!isEmpty) {
      this.#stopWaiting();
      await this.#wake(undefined);
      return;
    }
    this.#isEmpty = true;
    if (this.#firstWrite !== undefined) await this.#wake(this.#firstWrite);
  }

  async #lookAgain(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#isStopped) {
      await sleep(clock, retryPauseMs);
      if (this.#isStopped) return;
      try {
        return await this.#look();
      } catch {
        // Callers of the store report that it does not answer.
      }
    }
  }

  #wake(firstWrite: Revision | undefined): Promise<WatchHandle> {
    const after = firstWrite === undefined ? noRevision : toRevision(firstWrite - 1);
    this.#woken ??= this.#options.wake(after === noRevision ? undefined : after).then((watch) => {
      if (this.#isStopped) watch.stop();
      return watch;
    });
    return this.#woken;
  }
}
