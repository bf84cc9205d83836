import type { Job } from "../../apis/gen/batch-v1.js";
import { timeMs } from "../machinery/times.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import { parseIndexes } from "./job-indexes.js";
import { indexOf, podEnd } from "./job-pods.js";
import { JobTally } from "./job-tally.js";

/** The state of a job, counted from its pods. */
export interface JobCount {
  readonly active: readonly PodView[];
  readonly ready: number;
  readonly terminating: number;
  /** How the pods that have ended did so; for an indexed job, indexes that its status already names are included. */
  readonly ended: JobTally;
  readonly succeeded: number;
  /** Restarts of containers in pods that restart them. */
  readonly restarts: number;
  /** For an indexed job. */
  readonly activeIndexes: ReadonlySet<number>;
}

/** What is known about a job's pods besides the existing ones. */
export interface PodsKnown {
  /** Of pods that are gone. */
  readonly past: JobTally;
  /** Whether the job deleted the pod because it no longer wants it. Such a pod has not failed. */
  isReleased(pod: PodView): boolean;
}

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

/** Without `known`, pods that are being deleted have not failed yet, and deleted ones do not count. */
export function countPods(job: Job, pods: readonly PodView[], domain: string, known?: PodsKnown): JobCount {
  const { spec, status } = job;
  const indexed = isIndexed(job);
  const active: PodView[] = [];
  const activeIndexes = new Set<number>();
  const ended = new JobTally(known?.past);
  const ends = [];
  let [ready, terminating, restarts] = [0, 0, 0];
  for (const view of pods) {
    const isEarly = known !== undefined && !known.isReleased(view);
    const end = podEnd(job, view, { domain, indexed, isEarly });
    if (end !== undefined) ends.push(end);
    if (isFinished(view)) continue;
    if (view.isTerminating) {
      terminating++;
      continue;
    }
    active.push(view);
    if (view.isReady) ready++;
    if (indexed) activeIndexes.add(indexOf(view.stored.decode(), domain) ?? -1);
    if (spec.template.spec?.restartPolicy === "OnFailure") restarts += restartsOf(view);
  }
  for (const end of ends.sort((a, b) => a.at - b.at)) ended.add(spec, end);
  for (const index of parseIndexes(status.failedIndexes)) ended.failedIndexes.add(index);
  for (const index of parseIndexes(status.completedIndexes)) ended.completed.add(index);
  ended.leaveOut(spec.completions ?? Number.POSITIVE_INFINITY);
  const succeeded = indexed ? ended.completed.size : ended.succeeded;
  return { active, ready, terminating, ended, succeeded, restarts, activeIndexes };
}

function restartsOf({ restarts, stored }: PodView): number {
  const initial = stored.decode().status.initContainerStatuses ?? [];
  return initial.reduce((sum, { restartCount }) => sum + restartCount, restarts);
}

/** How the job ends now; undefined if it goes on. */
export interface JobEnd {
  readonly isComplete: boolean;
  readonly reason: string;
  readonly message: string;
}

export function jobEnd({ spec, status }: Job, count: JobCount, now: number): JobEnd | undefined {
  const failure = (reason: string, message: string): JobEnd => ({ isComplete: false, reason, message });
  const { policyFailure, failed, completed, failedIndexes } = count.ended;
  if (policyFailure !== undefined) return failure("PodFailurePolicy", policyFailure);
  const limit = spec.backoffLimit ?? 6;
  if (failed > limit || (count.restarts > 0 && count.restarts >= limit)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  const deadline = deadlineOf({ spec, status });
  if (deadline !== undefined && deadline <= now) {
    return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  }
  if (spec.maxFailedIndexes !== undefined && failedIndexes.size > spec.maxFailedIndexes) {
    return failure(
      "MaxFailedIndexesExceeded",
      "Job has exceeded the specified maximal number of failed indexes",
    );
  }
  const complete = { isComplete: true, reason: "", message: "" };
  const rule = succeededRule({ spec }, completed);
  if (rule >= 0) return { ...complete, reason: "SuccessPolicy", message: `Matched rules at index ${rule}` };
  const { completions } = spec;
  if (completions === undefined) {
    return count.succeeded > 0 && count.active.length === 0 ? complete : undefined;
  }
  if (count.succeeded >= completions) return complete;
  if (failedIndexes.size > 0 && count.succeeded + failedIndexes.size >= completions) {
    return failure("FailedIndexes", "Job has failed indexes");
  }
  return undefined;
}

/** The index of the first rule of its success policy that is met; -1 if none is. */
function succeededRule({ spec }: Pick<Job, "spec">, completed: ReadonlySet<number>): number {
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
