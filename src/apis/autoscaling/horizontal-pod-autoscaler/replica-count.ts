/** The only field that v2 omits when it is zero. */
export function omitZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
