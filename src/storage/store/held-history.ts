import type { Clock } from "../clock.js";
import { hasLocalCommits, type KeyValueStore, noRevision, type Revision } from "../kv.js";
import { sleep } from "../sleep.js";
import { isStorageError } from "../storage-error.js";
import type { MaybePromise } from "../transform/value-transformer.js";

/** How long an answer of the store is believed: the pages of a list come quickly. */
const believedMs = 1000;
const patienceMs = 1000;

/** Which revisions a store has not compacted yet. */
export class HeldHistory {
  readonly #kv: KeyValueStore;
  readonly #probe: string;
  readonly #clock: Clock;
  /** Revisions from here on were held until then, in milliseconds of the clock. */
  #from = noRevision;
  #until = 0;

  /** `probe` is a key that costs nothing to read: one that is not there. */
  constructor(kv: KeyValueStore, probe: string, clock: Clock) {
    this.#kv = kv;
    this.#probe = probe;
    this.#clock = clock;
  }

  /** A store elsewhere is asked. While it does not answer it has compacted nothing that anybody knows of. */
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
