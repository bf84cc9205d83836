import type { Job } from "../../apis/gen/batch-v1.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import { timeMs } from "../machinery/times.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import { parseIndexes } from "./job-indexes.js";
import { failureAction, finishedAt, indexOf } from "./job-pods.js";

/** The state of a job, counted from its pods. */
export interface JobCount {
  readonly active: readonly PodView[];
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Failures that count towards the limit of retries. */
  readonly counted: number;
  readonly lastFailureAt: number;
  /** For an indexed job. */
  readonly completed: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  readonly activeIndexes: ReadonlySet<number>;
  /** The reason for which the job's policy ends it. */
  readonly policyFailure: string | undefined;
}

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

export function countPods(job: Job, pods: readonly PodView[], domain: string): JobCount {
  const { spec, status } = job;
  const indexed = isIndexed(job);
  const active: PodView[] = [];
  const completed = parseIndexes(status.completedIndexes);
  const failedIndexes = parseIndexes(status.failedIndexes);
  const activeIndexes = new Set<number>();
  const perIndex = new Map<number, number>();
  let [ready, terminating, succeeded, failed, counted, lastFailureAt] = [0, 0, 0, 0, 0, 0];
  let policyFailure: string | undefined;
  for (const view of pods) {
    if (!isFinished(view)) {
      if (view.isTerminating) terminating++;
      else {
        active.push(view);
        if (view.isReady) ready++;
        if (indexed) activeIndexes.add(indexOf(view.stored.decode(), domain) ?? -1);
        // Restarts in place count as retries if the job's containers are restarted.
        counted += spec.template.spec?.restartPolicy === "OnFailure" ? view.restarts : 0;
      }
      continue;
    }
    const pod: Pod = view.stored.decode();
    const index = indexed ? indexOf(pod, domain) : undefined;
    if (view.phase === "Succeeded") {
      succeeded++;
      if (index !== undefined && index < (spec.completions ?? 0)) completed.add(index);
      continue;
    }
    failed++;
    const action = failureAction(job, view, pod);
    if (typeof action === "object") policyFailure ??= action.failJob;
    if (action === "Ignore") continue;
    counted++;
    lastFailureAt = Math.max(lastFailureAt, finishedAt(pod));
    if (index === undefined) continue;
    perIndex.set(index, (perIndex.get(index) ?? 0) + 1);
    const limit = spec.backoffLimitPerIndex;
    if (action === "FailIndex" || (limit !== undefined && (perIndex.get(index) ?? 0) > limit)) {
      failedIndexes.add(index);
    }
  }
  for (const index of completed) failedIndexes.delete(index);
  return {
    active,
    ready,
    terminating,
    succeeded: indexed ? completed.size : succeeded,
    failed,
    counted,
    lastFailureAt,
    completed,
    failedIndexes,
    activeIndexes,
    policyFailure,
  };
}

/** How the job ends now; undefined if it goes on. */
export interface JobEnd {
  readonly isComplete: boolean;
  readonly reason: string;
  readonly message: string;
}

export function jobEnd({ spec, status }: Job, count: JobCount, now: number): JobEnd | undefined {
  const failure = (reason: string, message: string): JobEnd => ({ isComplete: false, reason, message });
  if (count.policyFailure !== undefined) return failure("PodFailurePolicy", count.policyFailure);
  if (spec.backoffLimitPerIndex === undefined && count.counted > (spec.backoffLimit ?? 6)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  const deadline = deadlineOf({ spec, status });
  if (deadline !== undefined && deadline <= now) {
    return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  }
  if (spec.maxFailedIndexes !== undefined && count.failedIndexes.size > spec.maxFailedIndexes) {
    return failure(
      "MaxFailedIndexesExceeded",
      "Job has exceeded the specified maximal number of failed indexes",
    );
  }
  const complete = { isComplete: true, reason: "", message: "" };
  const rule = succeededRule({ spec }, count);
  if (rule >= 0) return { ...complete, reason: "SuccessPolicy", message: `Matched rules at index ${rule}` };
  const { completions } = spec;
  if (completions === undefined) {
    return count.succeeded > 0 && count.active.length === 0 ? complete : undefined;
  }
  if (count.succeeded >= completions) return complete;
  if (count.failedIndexes.size > 0 && count.succeeded + count.failedIndexes.size >= completions) {
    return failure("FailedIndexes", "Job has failed indexes");
  }
  return undefined;
}

/** The index of the first rule of its success policy that is met; -1 if none is. */
function succeededRule({ spec }: Pick<Job, "spec">, { completed }: JobCount): number {
  return (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    const named = succeededIndexes === undefined ? undefined : parseIndexes(succeededIndexes);
    const done = [...completed].filter((index) => named?.has(index) ?? true).length;
    return done >= (succeededCount ?? named?.size ?? Number.POSITIVE_INFINITY);
  });
}

/** When the job's active deadline passes. */
export function deadlineOf({ spec, status }: Pick<Job, "spec" | "status">): number | undefined {
  const started = timeMs(status.startTime);
  const { activeDeadlineSeconds: seconds } = spec;
  return started === undefined || seconds === undefined ? undefined : started + Number(seconds) * 1000;
}
