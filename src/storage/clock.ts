/** Time as storage needs it; tests pass one they move themselves. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs` unless cancelled. Must not keep the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
  /** Resolves after `delayMs`. Somebody waits for what is done then, so it does keep the process alive. */
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
