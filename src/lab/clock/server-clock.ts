import { parseDuration } from "../../apimachinery/values/duration.js";
import type { MovableClock } from "../../time/movable-clock.js";

/** The time of a server's cluster, for tests. */
export interface ServerClock {
  now(): Date;
  readonly isFrozen: boolean;
  /**
   * Moves the time forward by a duration such as `1h30m`, or by milliseconds, and runs everything that becomes due: objects and tokens
   * expire, timers of controllers fire. Resolves with the new time when the server has finished. Calls run one after the other. Rejects
   * with a `RangeError` for anything but a duration forward.
   */
  advance(duration: string | number): Promise<Date>;
  /** Stops the time; requests and controllers continue. */
  freeze(): void;
  /** Lets the time continue from where it stopped. */
  resume(): void;
}

export function serverClock(clock: MovableClock): ServerClock {
  return {
    now: () => new Date(clock.now()),
    get isFrozen() {
      return clock.isFrozen;
    },
    async advance(duration) {
      await clock.advance(typeof duration === "number" ? duration : milliseconds(duration));
      return new Date(clock.now());
    },
    freeze: () => clock.freeze(),
    resume: () => clock.resume(),
  };
}

function milliseconds(text: string): number {
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined)
    throw new RangeError(`not a duration such as 1h30m: ${JSON.stringify(text)}`);
  return Number(nanoseconds) / 1e6;
}
