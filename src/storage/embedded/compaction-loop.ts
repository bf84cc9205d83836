import type { Clock } from "../../time/clock.js";
import type { Revision } from "../kv.js";
import { isStorageError } from "../storage-error.js";

export interface CompactionLoopOptions {
  readonly clock: Clock;
  /** 0: never. */
  readonly intervalMs: number;
  readonly revision: () => Revision;
  readonly compactedRevision: () => Revision;
  /** The revision to compact to, given the newest one that the interval allows. */
  readonly target: (revision: Revision) => Revision;
  readonly compact: (revision: Revision) => Promise<void>;
  readonly onFailure: (reason: unknown) => void;
}

/**
 * Every interval, compacts to the revision of one interval ago, so history reaches back between one and two intervals. Returns a function
 * that ends it.
 */
export function startCompactionLoop(options: CompactionLoopOptions): () => void {
  if (options.intervalMs === 0) return () => undefined;
  let before = options.revision();
  let cancel: () => void = () => undefined;
  const run = async (): Promise<void> => {
    const target = options.target(before);
    before = options.revision();
    if (target <= options.compactedRevision()) return;
    try {
      await options.compact(target);
    } catch (error) {
      // Another caller has compacted further meanwhile.
      if (!isStorageError(error, "Compacted")) options.onFailure(error);
    }
  };
  const schedule = (): void => {
    cancel = options.clock.schedule(options.intervalMs, () => {
      schedule();
      void run();
    });
  };
  schedule();
  return () => cancel();
}
