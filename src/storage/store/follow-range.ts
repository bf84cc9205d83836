import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { type KeyRange, type KeyValueStore, type Revision, toRevision, type WatchBatch } from "../kv.js";
import { isStorageError } from "../storage-error.js";

export interface FollowOptions {
  readonly kv: KeyValueStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly range: KeyRange;
  /** Deliver batches after this revision. */
  readonly after: Revision;
  /** Awaited before the next batch is taken. */
  readonly batch: (batch: WatchBatch) => Promise<void> | void;
  /** Called on each interruption, before the pause. */
  readonly interrupted?: ((error: unknown) => void) | undefined;
}

const firstPauseMs = 50;
const longestPauseMs = 2000;

/**
 * Watches a range until `signal` aborts, continuing after the last batch when the engine was unavailable or ended a slow consumer.
 * Resolves when `signal` aborts; rejects with `Compacted`, or with what `batch` threw.
 */
export async function followRange(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { kv, clock, random, range } = options;
  let after = options.after;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    let failure: unknown;
    try {
      const request = { ...range, startRevision: toRevision(after + 1) };
      for await (const batch of kv.watch(request, signal)) {
        if (signal.aborted) return;
        await options.batch(batch);
        if (batch.revision > after) after = batch.revision;
        pauseMs = firstPauseMs;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isStorageError(error, "Unavailable")) throw error;
      failure = error;
    }
    if (signal.aborted) return;
    options.interrupted?.(failure);
    await sleep(clock, pauseMs * (0.5 + random()), signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}
