/** Waits between attempts. The n-th wait is `initialMs * factor^n`, at most `maxMs`, plus up to `jitter` times that. */
export interface Backoff {
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs?: number;
  readonly jitter: number;
  /** Total number of attempts, including the first. */
  readonly attempts: number;
}

/** The backoff of webhooks. Source: k8s.io/apiserver `pkg/util/webhook`, `DefaultRetryBackoffWithInitialDelay`. */
export function webhookBackoff(initialMs = 500): Backoff {
  return { initialMs, factor: 1.5, jitter: 0.2, attempts: 5 };
}

export interface RetryOptions {
  readonly backoff: Backoff;
  /** Of 0 to 1, exclusive. */
  readonly random: () => number;
  readonly isRetryable: (error: unknown) => boolean;
  /** Ends a wait, with its reason. */
  readonly signal: AbortSignal;
}

/** Calls until a call resolves, fails permanently, or no attempts are left: then the last failure is thrown. */
export async function retry<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { backoff, random, isRetryable, signal } = options;
  let waitMs = backoff.initialMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= backoff.attempts || signal.aborted || !isRetryable(error)) throw error;
    }
    await pause(waitMs * (1 + backoff.jitter * random()), signal);
    waitMs = Math.min(waitMs * backoff.factor, backoff.maxMs ?? Number.POSITIVE_INFINITY);
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
