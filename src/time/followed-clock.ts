import { type Clock, systemClock } from "./clock.js";
import { SharedTime } from "./shared-time.js";

/**
 * The time of another thread's `MovableClock`. Nothing in such a thread waits for a time of the cluster, so its timers are the machine's.
 */
export function followedClock(memory: SharedArrayBuffer): Clock {
  const time = new SharedTime(memory);
  return { ...systemClock, now: () => Math.floor(time.now()), memory };
}
