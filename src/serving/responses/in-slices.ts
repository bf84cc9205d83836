import { Turns } from "../../event-loop/turns.js";

/** Reading the clock costs as much as a small item, while a large one takes milliseconds. */
const clockEvery = 16;
const largeBytes = 16 * 1024;

export interface SlicesOptions<T> {
  readonly signal?: AbortSignal;
  readonly flow?: string | undefined;
  readonly prepare?: ((item: T) => Promise<void> | undefined) | undefined;
}

/**
 * Processes items in order, and lets other work run in between; `flow` as for `Turns`. Rejects with the signal's reason when it aborts.
 * `prepare` is awaited before an item is processed, if it returns a promise.
 */
export async function inSlices<T extends { readonly body: Uint8Array }, R>(
  items: readonly T[],
  make: (item: T) => R,
  { signal, flow, prepare }: SlicesOptions<T>,
): Promise<R[]> {
  const made: R[] = [];
  const turns = new Turns(flow);
  for (const item of items) {
    const preparing = prepare?.(item);
    if (preparing !== undefined) await preparing;
    made.push(make(item));
    const looks = made.length % clockEvery === 0 || item.body.length > largeBytes;
    if (looks && turns.isOver()) await turns.next(signal);
  }
  return made;
}
