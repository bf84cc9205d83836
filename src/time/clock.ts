/**
 * The time of the cluster: of timestamps, leases, tokens and whatever else happens at a time that objects name. What protects the server
 * itself (deadlines of requests, pauses before retries, sockets) goes by the clock of the machine.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs` unless cancelled. Must not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
  /**
   * Calls `callback` each `periodMs` until cancelled; once for several periods that a move of the clock leaves behind. Must not keep the
   * process alive.
   */
  every(periodMs: number, callback: () => void): () => void;
  /** Resolves after `delayMs`. Keeps the process alive, because the caller has work to do then. */
  pause(delayMs: number): Promise<void>;
  /** By which other threads know the time, if it is not that of the machine. */
  readonly memory?: SharedArrayBuffer | undefined;
  /** Work that the time has brought about: whoever moves the clock waits for it. Takes rejections as ends. */
  track(work: Promise<unknown>): void;
}

/** Node.js fires a longer timer at once. */
export const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(periodMs, callback) {
    const timer = setInterval(callback, Math.min(periodMs, longestTimerMs));
    timer.unref();
    return () => clearInterval(timer);
  },
  pause: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  track() {},
};

/** The time as a date, for those who ask for no more. */
export function dateOf(clock: Clock): () => Date {
  return () => new Date(clock.now());
}
