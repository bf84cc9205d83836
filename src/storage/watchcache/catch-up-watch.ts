import type { Revision } from "../kv.js";
import type { WatchHandle, WatchSink } from "../object-store.js";
import { isStorageError } from "../storage-error.js";

export interface CatchUpOptions<T> {
  readonly sink: WatchSink<T>;
  /** The error if the store lacks this history too. */
  readonly tooOld: () => Error;
  /** Replays history from the store. `passed` is called with the revision up to which the sink has everything. */
  readonly follow: (replay: WatchSink<T>, passed: (revision: Revision) => void) => WatchHandle;
  /** Continues from the cache's window after `revision`; undefined while that is still too old. */
  readonly join: (revision: Revision) => WatchHandle | undefined;
}

/** A watch that starts before the cache's window: the store serves it until it reaches the window. */
export class CatchUpWatch<T> implements WatchHandle {
  #current: WatchHandle;
  #stopped = false;

  constructor({ sink, tooOld, follow, join }: CatchUpOptions<T>) {
    const replay: WatchSink<T> = {
      events: (batch) => sink.events(batch),
      end: (error) => sink.end(isStorageError(error, "Compacted") ? tooOld() : error),
      ready: () => sink.ready?.(),
    };
    const replaying = follow(replay, (revision) => {
      if (this.#stopped) return;
      const joined = join(revision);
      if (joined === undefined) return;
      replaying.stop();
      this.#current = joined;
    });
    this.#current = replaying;
  }

  stop(): void {
    this.#stopped = true;
    this.#current.stop();
  }
}
