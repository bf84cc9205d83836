/** The one field that v2 leaves out when it is zero. */
export function omitZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
