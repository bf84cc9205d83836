/** The second and later occurrences, with their places. */
export function repeated<T>(values: readonly T[]): [index: number, value: T][] {
  if (values.length < 2) return [];
  const seen = new Set<T>();
  return [...values.entries()].filter(([, value]) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  });
}
