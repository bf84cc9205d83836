import { setImmediate } from "node:timers/promises";

/**
 * Lets other requests use the event loop before a long one continues. Rejects with the signal's reason once that has aborted.
 */
export async function nextTurn(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
