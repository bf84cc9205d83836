import { type Clock, systemClock } from "./clock.js";
import { SharedTime } from "./shared-time.js";

/** The time of a `MovableClock` of another thread. Nothing in such a thread waits for a time of the cluster: its timers are the machine's. */
export function followedClock(memory: SharedArrayBuffer): Clock {
  const time = new SharedTime(memory);
  return { ...systemClock, now: () => Math.floor(time.now()), memory };
}
