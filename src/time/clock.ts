/**
 * The cluster's time: for timestamps, leases, tokens and everything else that objects give a time for. What protects the server itself
 * (request deadlines, retry delays, socket timeouts) uses the machine's clock.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs` unless cancelled. Must not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
  /**
   * Calls `callback` every `periodMs` until cancelled; only once when the clock is moved by several periods. Must not keep the process
   * alive.
   */
  every(periodMs: number, callback: () => void): () => void;
  /** Resolves after `delayMs`. Keeps the process alive, because the caller has work to do then. */
  pause(delayMs: number): Promise<void>;
  /** Through this, other threads read the time, if it is not the machine's. */
  readonly memory?: SharedArrayBuffer | undefined;
  /** Work that the time has caused: whoever moves the clock waits for it. A rejection counts as its end. */
  track(work: Promise<unknown>): void;
}

/** 24.8 days. Node.js fires a longer timer at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The time for a timer that need not wait for more than 24.8 days. */
export function timerMs(ms: number): number {
  return Math.min(ms, longestTimerMs);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, callback) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      timer =
        leftMs > longestTimerMs
          ? setTimeout(() => wait(leftMs - longestTimerMs), longestTimerMs)
          : setTimeout(callback, leftMs);
      timer.unref();
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
  every(periodMs, callback) {
    const timer = setInterval(callback, timerMs(periodMs));
    timer.unref();
    return () => clearInterval(timer);
  },
  pause: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  track() {},
};

/** The time as a function that returns dates. */
export function dateOf(clock: Clock): () => Date {
  return () => new Date(clock.now());
}
