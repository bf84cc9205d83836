import { getPriority, setPriority } from "node:os";

/**
 * With this, the event loop gets three quarters of a processor when both threads compute. With more, the other thread would hardly run at
 * all on a busy machine.
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
