import type { Steps } from "./steps.js";

/** Sorting or merging this many items takes a few milliseconds, however dear a comparison is. */
const itemsPerStep = 500;

/** The items in order. Sorts a large list in steps: short runs first, which are then merged pairwise. Equal items keep their order. */
export function* sortingSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (items.length <= itemsPerStep) return items.toSorted(compare);
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += itemsPerStep) {
    runs.push(items.slice(from, from + itemsPerStep).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right] = [runs[at], runs[at + 1]];
      merged.push(right === undefined ? left : yield* merge(left, right, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let ours = 0;
  let theirs = 0;
  while (ours < left.length && theirs < right.length) {
    const [a, b] = [left[ours] as T, right[theirs] as T]; // both indexes are within their lists
    if (compare(a, b) <= 0) {
      merged.push(a);
      ours++;
    } else {
      merged.push(b);
      theirs++;
    }
    if (merged.length % itemsPerStep === 0) yield;
  }
  for (; ours < left.length; ours++) merged.push(left[ours] as T);
  for (; theirs < right.length; theirs++) merged.push(right[theirs] as T);
  return merged;
}
