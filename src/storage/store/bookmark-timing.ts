const periodMs = 60_000;
const beforeDeadlineMs = 2000;

/**
 * When a watch gets its next bookmark: after about a minute, give or take a quarter so that watches made together do not fall
 * due together, or two seconds before its deadline if that is sooner and still ahead. Milliseconds of the same clock.
 */
export function nextBookmarkAt(now: number, deadline: number | undefined, random: () => number): number {
  const periodic = now + periodMs * (0.75 + random() / 2);
  if (deadline === undefined) return periodic;
  const last = deadline - beforeDeadlineMs;
  return last > now && last < periodic ? last : periodic;
}
