import type { JobSpec } from "../../apis/gen/batch-v1.js";

export type FailureAction = "Count" | "Ignore" | "FailIndex" | { readonly failJob: string };

/** How a pod of a job ended. */
export interface PodEnd {
  /** In an indexed job. */
  readonly index: number | undefined;
  readonly outcome: "Succeeded" | FailureAction;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

export interface IndexFailures {
  readonly counted: number;
  readonly ignored: number;
  readonly lastAt: number;
}

const firstBackoffMs = 10_000;
const lastBackoffMs = 360_000;

/** Adds up how pods of a job ended. */
export class JobTally {
  succeeded = 0;
  /** Without those that the job's policy ignores. */
  failed = 0;
  /** The reason for which the job's policy ends it. */
  policyFailure: string | undefined;
  readonly completed: Set<number>;
  readonly failedIndexes: Set<number>;
  readonly #failures: Map<number, IndexFailures>;
  #inARow = 0;
  #lastFailureAt = 0;

  constructor(from?: JobTally) {
    this.completed = new Set(from?.completed);
    this.failedIndexes = new Set(from?.failedIndexes);
    this.#failures = new Map(from === undefined ? [] : from.#failures);
    if (from === undefined) return;
    this.succeeded = from.succeeded;
    this.failed = from.failed;
    this.policyFailure = from.policyFailure;
    this.#inARow = from.#inARow;
    this.#lastFailureAt = from.#lastFailureAt;
  }

  /** Call it in the order of the ends. */
  add({ backoffLimitPerIndex }: Pick<JobSpec, "backoffLimitPerIndex">, { index, outcome, at }: PodEnd): void {
    if (outcome === "Succeeded") {
      this.#inARow = 0;
      this.succeeded++;
      if (index !== undefined) this.completed.add(index);
      return;
    }
    this.#inARow++;
    this.#lastFailureAt = Math.max(this.#lastFailureAt, at);
    if (typeof outcome === "object") this.policyFailure ??= outcome.failJob;
    const isIgnored = outcome === "Ignore";
    if (!isIgnored) this.failed++;
    if (index === undefined) return;
    const { counted, ignored, lastAt } = this.failuresOf(index);
    const failures = {
      counted: counted + (isIgnored ? 0 : 1),
      ignored: ignored + (isIgnored ? 1 : 0),
      lastAt: Math.max(lastAt, at),
    };
    this.#failures.set(index, failures);
    const isOverLimit = backoffLimitPerIndex !== undefined && failures.counted > backoffLimitPerIndex;
    if (outcome === "FailIndex" || isOverLimit) this.failedIndexes.add(index);
  }

  /** Drops the indexes that the job no longer has; one that succeeded in the end has not failed. */
  leaveOut(from: number): void {
    for (const index of this.completed) if (index >= from) this.completed.delete(index);
    for (const index of this.failedIndexes) {
      if (index >= from || this.completed.has(index)) this.failedIndexes.delete(index);
    }
  }

  failuresOf(index: number): IndexFailures {
    return this.#failures.get(index) ?? { counted: 0, ignored: 0, lastAt: 0 };
  }

  /** When the next pod may start: failed ones are replaced after pauses that double until one succeeds. */
  get retryAt(): number {
    return afterFailures(this.#inARow, this.#lastFailureAt);
  }

  /** Like `retryAt`, for a job with backoff limits per index. */
  retryAtOf(index: number): number {
    const { counted, ignored, lastAt } = this.failuresOf(index);
    return afterFailures(counted + ignored, lastAt);
  }
}

function afterFailures(count: number, lastAt: number): number {
  if (count === 0 || lastAt === 0) return 0;
  return lastAt + Math.min(lastBackoffMs, firstBackoffMs * 2 ** Math.min(20, count - 1));
}
