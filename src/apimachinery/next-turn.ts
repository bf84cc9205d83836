import { setImmediate } from "node:timers/promises";

/** Lets other requests have the event loop before a long one goes on. Rejects with the signal's reason once that has aborted. */
export async function nextTurn(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
