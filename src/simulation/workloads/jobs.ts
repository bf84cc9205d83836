import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Job, JobStatus } from "../../apis/gen/batch-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeText } from "../machinery/times.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { conditionOf } from "../pods/conditions.js";
import { announcedEnd, isOver, withJobCondition } from "./job-conditions.js";
import { formatIndexes } from "./job-indexes.js";
import { countPods, deadlineOf, isIndexed, type JobCount, type JobEnd, jobEnd } from "./job-outcome.js";
import { setIndex } from "./job-pods.js";
import { followPods } from "./pod-changes.js";
import { PodControl } from "./pod-control.js";

type View = SelectingView<Job>;

const firstBackoffMs = 10_000;
const lastBackoffMs = 360_000;
const podsMax = 500;
/** For a job that has as many succeeded pods as it wants. */
const reached = { reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };

/** Runs jobs to their end. Source: Kubernetes' job controller. */
export class Jobs implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#control = new PodControl(cluster, "job-controller", { apiVersion: "batch/v1", kind: "Job" });
    this.#loop = cluster.loop({ name: "job", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    const jobs = views.selecting("jobs.batch");
    this.#loop.fedBy(
      jobs.onChange(({ key }) => this.#loop.add(key)),
      followPods(views.pods, { kind: "Job", owners: jobs, changed: (key) => this.#loop.addSoon(key) }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.selecting("jobs.batch").get(key);
    if (view === undefined) {
      this.#loop.forget(key);
      return;
    }
    const job = view.stored.decode();
    const isOthers = (job.spec.managedBy ?? "") !== "" && !isManagedHere(job);
    if (isOthers || isOver(job)) return;
    const now = this.#cluster.now();
    const pods = await this.#control.claim(view);
    let count = countPods(job, pods, this.#cluster.domain);
    const status: JobStatus = { ...job.status };
    const suspended = job.spec.suspend ?? false;
    if (status.startTime === undefined && !suspended) status.startTime = timeText(now);
    const deadline = deadlineOf({ spec: job.spec, status });
    if (deadline !== undefined && deadline > now) this.#loop.addAt(key, deadline);
    const end = announcedEnd(status) ?? jobEnd({ ...job, status }, count, now);
    let active = count.active.length;
    let refusal: unknown;
    if (end !== undefined) {
      // Pods that are stopped with the job count as failed.
      status.failed = Math.max(status.failed ?? 0, count.failed + active);
      await this.#control.deleteMany(view, count.active);
      count = countPods(job, this.#pods(view), this.#cluster.domain);
      active = count.active.length;
      this.#finish(view, status, end, count, now);
    } else if (suspended) {
      await this.#control.deleteMany(view, count.active);
      active = 0;
      this.#noteSuspension(view, status, true, now);
    } else {
      this.#noteSuspension(view, status, false, now);
      if (!view.isTerminating) {
        try {
          active = await this.#manage(view, job, count, now);
        } catch (error) {
          refusal = error;
          active = countPods(job, this.#pods(view), this.#cluster.domain).active.length;
        }
      }
    }
    await this.#writeStatus(view, job, { ...status, active }, count);
    if (refusal !== undefined) throw refusal;
  }

  #pods(view: View) {
    return [...this.#cluster.views.pods.find("controller", view.uid)];
  }

  /** Starts and stops pods; returns how many are active then. */
  async #manage(view: View, job: Job, count: JobCount, now: number): Promise<number> {
    const { parallelism = 1, completions } = job.spec;
    const active = count.active.length;
    const left =
      completions === undefined ? undefined : completions - count.succeeded - count.failedIndexes.size;
    const wanted =
      completions === undefined && count.succeeded > 0
        ? active
        : Math.max(0, Math.min(parallelism, left ?? parallelism));
    if (active > wanted) {
      const surplus = [...count.active]
        .sort((a, b) => Number(a.isReady) - Number(b.isReady))
        .slice(0, active - wanted);
      await this.#control.deleteMany(view, surplus);
      return wanted;
    }
    // If pods are replaced only once they have failed, those that are leaving must go first.
    const leaving =
      job.spec.podReplacementPolicy === "Failed" || job.spec.podFailurePolicy ? count.terminating : 0;
    const missing = Math.min(podsMax, wanted - active - leaving);
    if (missing <= 0) return active;
    const at = this.#retryAt(count);
    if (at > now) {
      this.#loop.addAt(view.key, at);
      return active;
    }
    const indexes = isIndexed(job) ? missingIndexes(job, count, missing) : undefined;
    await this.#control.createMany(view, indexes?.length ?? missing, (number) => {
      const pod = this.#control.podOf(view, job.spec.template);
      const index = indexes?.[number];
      if (index !== undefined) setIndex(pod, job, index, this.#cluster);
      return pod;
    });
    return active + (indexes?.length ?? missing);
  }

  /** When to retry: failed pods are replaced after pauses that double. */
  #retryAt({ counted, lastFailureAt }: JobCount): number {
    if (counted === 0 || lastFailureAt === 0) return 0;
    return lastFailureAt + Math.min(lastBackoffMs, firstBackoffMs * 2 ** Math.min(20, counted - 1));
  }

  #finish(view: View, status: JobStatus, end: JobEnd, { active, terminating }: JobCount, now: number): void {
    const waits = this.#waitsForPods;
    const { isComplete, reason, message } = waits && end.reason === "" ? { ...end, ...reached } : end;
    const told = { status: "True", ...(reason !== "" && { reason, message }) };
    if ((waits || this.#isAnnounced(end)) && announcedEnd(status) === undefined) {
      const type = isComplete ? "SuccessCriteriaMet" : "FailureTarget";
      status.conditions = withJobCondition(status.conditions, { type, ...told }, now);
    }
    if (waits && active.length + terminating > 0) return;
    const type = isComplete ? "Complete" : "Failed";
    status.conditions = withJobCondition(status.conditions, { type, ...told }, now);
    if (isComplete) status.completionTime = timeText(now);
    const subject = this.#control.subject(view);
    if (isComplete) this.#control.recorder.record(subject, "Normal", "Completed", "Job completed");
    else this.#control.recorder.record(subject, "Warning", reason, message);
  }

  #noteSuspension(view: View, status: JobStatus, suspended: boolean, now: number): void {
    const before = conditionOf(status.conditions, "Suspended");
    if (suspended === (before?.status === "True")) return;
    if (!suspended && before === undefined) return;
    const reason = suspended ? "JobSuspended" : "JobResumed";
    const message = suspended ? "Job suspended" : "Job resumed";
    const condition = { type: "Suspended", status: suspended ? "True" : "False", reason, message };
    status.conditions = withJobCondition(status.conditions, condition, now);
    if (suspended) status.startTime = undefined;
    else status.startTime = timeText(now);
    this.#control.recorder.record(
      this.#control.subject(view),
      "Normal",
      suspended ? "Suspended" : "Resumed",
      message,
    );
  }

  async #writeStatus(view: View, job: Job, wanted: JobStatus, count: JobCount): Promise<void> {
    const { isEnabled } = this.#cluster.context;
    const counts: JobStatus = {
      active: wanted.active ?? 0,
      succeeded: count.succeeded,
      failed: Math.max(wanted.failed ?? 0, count.failed),
      completedIndexes: isIndexed(job) ? formatIndexes(count.completed) : undefined,
      failedIndexes:
        job.spec.backoffLimitPerIndex === undefined ? undefined : formatIndexes(count.failedIndexes),
      ...(isEnabled("JobReadyPods") && { ready: isOver({ ...job, status: wanted }) ? 0 : count.ready }),
      ...(isEnabled("JobPodReplacementPolicy") && { terminating: count.terminating }),
    };
    const status = { ...wanted, ...counts };
    const before = { active: 0, succeeded: 0, failed: 0, ...job.status };
    if (isDeepEqual(status, before)) return;
    await this.#control.writer.changePart("jobs.batch", view, (object) => {
      object.status = status;
    });
  }

  /** Since 1.31, a job first announces its end, and ends when none of its pods is left. */
  get #waitsForPods(): boolean {
    const { level, isEnabled } = this.#cluster.context;
    return isAtLeast(level, "1.31") && (isEnabled("JobManagedBy") || isEnabled("JobPodReplacementPolicy"));
  }

  /** Ends that policies cause were already announced before that. */
  #isAnnounced({ reason }: JobEnd): boolean {
    const { isEnabled } = this.#cluster.context;
    if (reason === "SuccessPolicy") return isEnabled("JobSuccessPolicy");
    return reason === "PodFailurePolicy" && isEnabled("JobPodFailurePolicy");
  }
}

function missingIndexes(job: Job, count: JobCount, max: number): readonly number[] {
  const missing: number[] = [];
  for (let index = 0; index < (job.spec.completions ?? 0) && missing.length < max; index++) {
    const isTaken =
      count.completed.has(index) || count.failedIndexes.has(index) || count.activeIndexes.has(index);
    if (!isTaken) missing.push(index);
  }
  return missing;
}

function isManagedHere({ spec }: Job): boolean {
  return (spec.managedBy ?? "").endsWith("/job-controller");
}
