import { turnIfRoundIsOver } from "./turns.js";

/** All items of a lazy iterable. Other work uses the event loop between two of them. */
export async function collect<T>(items: Iterable<T>): Promise<T[]> {
  const all: T[] = [];
  for (const item of items) {
    all.push(item);
    const turn = turnIfRoundIsOver();
    if (turn !== undefined) await turn;
  }
  return all;
}
