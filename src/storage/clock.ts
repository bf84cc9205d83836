/** The clock that storage uses; tests pass one they move themselves. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs` unless cancelled. Must not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
  /** Resolves after `delayMs`. Keeps the process alive, because the caller has work to do then. */
  pause(delayMs: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  pause: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
};
