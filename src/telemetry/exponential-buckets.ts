/** The bounds of a histogram: `count` of them, each twice the one before. */
export function exponentialBuckets(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, step) => first * 2 ** step);
}
