import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { hasLocalCommits, type KeyValueStore, noRevision, type Revision } from "../kv.js";
import { isStorageError } from "../storage-error.js";

/** How long the store's answer is cached: pages of a list follow each other quickly. */
const believedMs = 1000;
const patienceMs = 1000;

/** Remembers which revisions a store has not compacted yet. */
export class HeldHistory {
  readonly #kv: KeyValueStore;
  readonly #probe: string;
  readonly #clock: Clock;
  /** Revisions from here on still existed at that time, in milliseconds of the clock. */
  #from = noRevision;
  #until = 0;

  /** `probe` is a key that is cheap to read because it does not exist. */
  constructor(kv: KeyValueStore, probe: string, clock: Clock) {
    this.#kv = kv;
    this.#probe = probe;
    this.#clock = clock;
  }

  /** Asks a remote store. True if it does not answer in time, because nobody can then have learned of a compaction. */
  holds(revision: Revision): MaybePromise<boolean> {
    if (hasLocalCommits(this.#kv)) return revision >= this.#kv.compactedRevision();
    if (revision >= this.#from && this.#clock.now() < this.#until) return true;
    return Promise.race([this.#ask(revision), sleep(this.#clock, patienceMs).then(() => true)]);
  }

  async #ask(revision: Revision): Promise<boolean> {
    try {
      await this.#kv.range({ start: this.#probe, revision, limit: 1, withoutCount: true });
    } catch (error) {
      return !isStorageError(error, "Compacted");
    }
    this.#from = revision;
    this.#until = this.#clock.now() + believedMs;
    return true;
  }
}
