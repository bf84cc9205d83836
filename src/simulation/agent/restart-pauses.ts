const firstMs = 10_000;
const lastMs = 300_000;

/** A container that ran this long starts again with the shortest pause. */
export const healthyMs = 600_000;

/** The pause after this many crashes: none before the first restart, and doubling after that. */
export function restartPauseMs(crashes: number): number {
  return crashes === 0 ? 0 : Math.min(lastMs, firstMs * 2 ** Math.min(crashes - 1, 10));
}
