import { getPriority, setPriority } from "node:os";

/**
 * Of two threads that compute, the event loop's gets three quarters of a processor. No more: on a busy machine the other one would hardly
 * run at all.
 */
const nicer = 5;
const nicest = 19;

/** Gives the calling thread a lower priority than the event loop's. Only Linux can: elsewhere this would apply to the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Math.min(getPriority() + nicer, nicest));
  } catch {
    // A sandbox may forbid it; the thread works without it.
  }
}
