import type { Clock } from "../../time/clock.js";
import type { ReaderState } from "./reader-state.js";

/** How often a thread shows that its event loop runs, and how often that is checked. */
export const heartbeatMs = 1_000;

/**
 * Checks whether the event loop of a thread runs, and reports how many checks in a row have found that it does not. If this thread is
 * blocked too, as when the machine sleeps, the checks are delayed as well.
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
