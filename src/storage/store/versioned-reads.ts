import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import type { KeyValueStore, Revision } from "../kv.js";
import type { ReadVersion } from "../object-store.js";
import { futureRevision, isStorageError, StorageError } from "../storage-error.js";

const retryMs = 100;

/**
 * Reads at a version that the store may not have reached: they wait for it, and fail with `FutureRevision` if it does not come in time.
 */
export class VersionedReads {
  readonly #kv: Pick<KeyValueStore, "currentRevision">;
  readonly #clock: Clock;
  readonly #waitMs: number;

  constructor(kv: Pick<KeyValueStore, "currentRevision">, clock: Clock, waitMs: number) {
    this.#kv = kv;
    this.#clock = clock;
    this.#waitMs = waitMs;
  }

  /** Repeats `read`, which returns the newest or the exact state, until the state is new enough. */
  atLeast<R extends { readonly revision: Revision }>(at: ReadVersion, read: () => Promise<R>): Promise<R> {
    if (at.kind === "exact") return this.#whenReached(at.revision, read);
    if (at.kind !== "notOlderThan") return read();
    return this.#whenReached(at.revision, async () => {
      const result = await read();
      if (result.revision < at.revision) throw futureRevision(at.revision, result.revision);
      return result;
    });
  }

  async #whenReached<R>(revision: Revision, read: () => Promise<R>): Promise<R> {
    const giveUpAt = this.#clock.now() + this.#waitMs;
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (isStorageError(error, "Compacted")) {
          const message = "The resourceVersion for the provided list is too old.";
          throw new StorageError("Compacted", message, { revision, cause: error });
        }
        if (!isStorageError(error, "FutureRevision")) throw error;
        if (this.#clock.now() >= giveUpAt) {
          throw futureRevision(revision, await this.#kv.currentRevision());
        }
        await sleep(this.#clock, retryMs);
      }
    }
  }
}
