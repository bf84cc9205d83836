const firstMs = 10_000;
const lastMs = 300_000;

/** A container that ran this long begins with the shortest pause again. */
export const healthyMs = 600_000;

/** How long a container waits that has crashed so often before: the first restart comes at once, and pauses double after that. */
export function restartPauseMs(crashes: number): number {
  return crashes === 0 ? 0 : Math.min(lastMs, firstMs * 2 ** Math.min(crashes - 1, 10));
}
