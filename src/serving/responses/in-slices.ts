import { setImmediate } from "node:timers/promises";

/** How long work on the items of a long answer holds the event loop at a time. */
const sliceMs = 4;
/** Reading the clock costs as much as a small item. */
const clockEvery = 16;

/**
 * Processes items in order, and lets other work run in between. Rejects with the signal's reason when it aborts meanwhile.
 */
export async function inSlices<T, R>(
  items: readonly T[],
  make: (item: T) => R,
  signal: AbortSignal | undefined,
): Promise<R[]> {
  const made: R[] = [];
  let end = performance.now() + sliceMs;
  for (const item of items) {
    made.push(make(item));
    if (made.length % clockEvery === 0 && performance.now() >= end) {
      await setImmediate();
      signal?.throwIfAborted();
      end = performance.now() + sliceMs;
    }
  }
  return made;
}
