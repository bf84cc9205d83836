import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { WatchResult } from "../../endpoints/resource/api-result.js";
import type { WatchEvent, WatchHandle, WatchSink } from "../../storage/object-store.js";
import { StorageError } from "../../storage/storage-error.js";
import { timerMs } from "../../time/clock.js";
import type { WatchFault } from "./fault-spec.js";

export interface FaultyWatchOptions extends WatchFault {
  /** Delay of each delivery. Their order stays. */
  readonly delayMs: number;
}

/** A watch that is late, or that ends early. */
export function faultyWatch<T extends ApiObject>(
  start: WatchResult<T>["start"],
  options: FaultyWatchOptions,
): WatchResult<T>["start"] {
  return async (sink) => {
    const faulty = new FaultySink(sink, options);
    const handle = await start(faulty);
    return faulty.over(handle);
  };
}

class FaultySink<T> implements WatchSink<T> {
  readonly #sink: WatchSink<T>;
  readonly #options: FaultyWatchOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #left: number;
  #isOver = false;
  #handle: WatchHandle | undefined;

  constructor(sink: WatchSink<T>, options: FaultyWatchOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#left = options.end === undefined ? Number.POSITIVE_INFINITY : (options.afterEvents ?? 0);
  }

  /** Ends the watch at once if no events are allowed. */
  over(handle: WatchHandle): WatchHandle {
    this.#handle = handle;
    const stop = (): void => {
      this.#isOver = true;
      for (const timer of this.#timers) clearTimeout(timer);
      this.#timers.clear();
      handle.stop();
    };
    if (this.#left === 0) setImmediate(() => this.#finish());
    return { stop };
  }

  events(batch: readonly WatchEvent<T>[]): void {
    const passed = batch.slice(0, this.#left);
    this.#left -= passed.length;
    this.#later(() => {
      if (passed.length > 0) this.#sink.events(passed);
    });
    if (this.#left === 0) this.#later(() => this.#finish());
  }

  end(error: Error | undefined): void {
    this.#later(() => {
      this.#isOver = true;
      this.#sink.end(error);
    });
  }

  ready(): Promise<void> | undefined {
    return this.#sink.ready?.();
  }

  #later(work: () => void): void {
    const { delayMs } = this.#options;
    if (delayMs === 0) {
      if (!this.#isOver) work();
      return;
    }
    // Timers of equal length fire in the order in which they were set.
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isOver) work();
    }, timerMs(delayMs));
    this.#timers.add(timer);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handle?.stop();
    this.#sink.end(
      this.#options.end === "Expired" ? new StorageError("Compacted", "the history is compacted") : undefined,
    );
  }
}
