import type { Clock } from "../../time/clock.js";
import type { ReaderState } from "./reader-state.js";

/** How often a thread says that its event loop turns, and how often it is looked after. */
export const heartbeatMs = 1_000;

/**
 * Looks whether a thread turns, and tells how many looks in a row have found that it did not. What holds this thread too, such as a machine
 * that sleeps, delays the looks as well.
 */
export function watchHeartbeat(
  state: Pick<ReaderState, "beats">,
  clock: Clock,
  tell: (silentLooks: number) => void,
): () => void {
  let seen = 0;
  let silentLooks = 0;
  return clock.every(heartbeatMs, () => {
    const { beats } = state;
    silentLooks = beats === seen ? silentLooks + 1 : 0;
    seen = beats;
    tell(silentLooks);
  });
}
