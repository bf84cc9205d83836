import { type Clock, systemClock } from "./clock.js";
import { SharedTime } from "./shared-time.js";

/**
 * The time of another thread's `MovableClock`. Its timers run by the machine's clock, because nothing in such a thread waits for a time
 * of the cluster.
 */
export function followedClock(memory: SharedArrayBuffer): Clock {
  const time = new SharedTime(memory);
  return { ...systemClock, now: () => Math.floor(time.now()), memory };
}
