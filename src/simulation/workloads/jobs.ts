import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Job, JobStatus } from "../../apis/gen/batch-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeText } from "../machinery/times.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { conditionOf, mergedConditions } from "../pods/conditions.js";
import type { PodView } from "../pods/pod-view.js";
import { deletionOrder } from "./deletion-order.js";
import { announcedEnd, isOver, withJobCondition } from "./job-conditions.js";
import { JobHistory } from "./job-history.js";
import { formatIndexes } from "./job-indexes.js";
import { countPods, deadlineOf, isIndexed, type JobCount, type JobEnd, jobEnd } from "./job-outcome.js";
import { indexOf, noteFailures, replacesFailedOnly, setIndex } from "./job-pods.js";
import { followPods } from "./pod-changes.js";
import { PodControl } from "./pod-control.js";

type View = SelectingView<Job>;

const podsMax = 500;
/** For a job that has as many succeeded pods as it wants. */
const reached = { reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };

/** Runs jobs to their end. Source: Kubernetes' job controller. */
export class Jobs implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #history: JobHistory | undefined;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#control = new PodControl(cluster, "job-controller", { apiVersion: "batch/v1", kind: "Job" });
    // Before, jobs counted the pods that exist.
    const isKept = cluster.context.isEnabled("JobTrackingWithFinalizers");
    this.#history = isKept ? new JobHistory(cluster.domain) : undefined;
    this.#loop = cluster.loop({ name: "job", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    const jobs = views.selecting("jobs.batch");
    this.#loop.fedBy(
      jobs.onChange(({ key, value, previous }) => {
        if (previous !== undefined && value?.uid !== previous.uid) this.#history?.forget(previous.uid);
        this.#loop.add(key);
      }),
      views.pods.onChange(({ value, previous }) => {
        if (value !== undefined || previous?.controller?.kind !== "Job") return;
        const job = jobs.get(`${previous.namespace}/${previous.controller.name}`);
        if (job?.uid !== previous.controller.uid) return;
        this.#history?.removed(job, job.stored.decode(), previous, this.#cluster.now());
      }),
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
    let count = this.#count(view, job, pods);
    const status: JobStatus = { ...job.status };
    const suspended = job.spec.suspend ?? false;
    if (status.startTime === undefined && !suspended) status.startTime = timeText(now);
    const deadline = deadlineOf({ spec: job.spec, status });
    if (deadline !== undefined && deadline > now) this.#loop.addAt(key, deadline);
    const end = announcedEnd(status) ?? jobEnd({ ...job, status }, count, now);
    let active = count.active.length;
    let refusal: unknown;
    if (end !== undefined) {
      // Pods that are stopped with a job that failed count as failed.
      if (end.isComplete) await this.#release(view, count.active);
      else {
        status.failed = Math.max(status.failed ?? 0, count.ended.failed + active);
        await this.#control.deleteMany(view, count.active);
      }
      count = this.#count(view, job, this.#pods(view));
      active = count.active.length;
      this.#finish(view, status, end, count, now);
    } else if (suspended) {
      await this.#release(view, count.active);
      active = 0;
      this.#noteSuspension(view, status, true, now);
    } else {
      this.#noteSuspension(view, status, false, now);
      if (!view.isTerminating) {
        try {
          active = await this.#manage(view, job, count, now);
        } catch (error) {
          refusal = error;
          active = this.#count(view, job, this.#pods(view)).active.length;
        }
      }
    }
    await this.#writeStatus(view, job, { ...status, active }, count);
    if (refusal !== undefined) throw refusal;
  }

  #count(view: View, job: Job, pods: readonly PodView[]): JobCount {
    return countPods(job, pods, this.#cluster.domain, this.#history?.of(view, job, pods));
  }

  /** Deletes pods that the job no longer wants. */
  async #release(view: View, pods: readonly PodView[]): Promise<void> {
    this.#history?.release(view, pods);
    await this.#control.deleteMany(view, pods);
  }

  #pods(view: View): readonly PodView[] {
    return [...this.#cluster.views.pods.find("controller", view.uid)];
  }

  /** Starts and stops pods; returns how many are active then. */
  async #manage(view: View, job: Job, count: JobCount, now: number): Promise<number> {
    const { parallelism = 1, completions } = job.spec;
    const active = count.active.length;
    const left =
      completions === undefined ? undefined : completions - count.succeeded - count.ended.failedIndexes.size;
    const wanted =
      completions === undefined && count.succeeded > 0
        ? active
        : Math.max(0, Math.min(parallelism, left ?? parallelism));
    const surplus = this.#surplus(job, count.active, wanted);
    if (surplus.length > 0) {
      await this.#release(view, surplus);
      return active - surplus.length;
    }
    const leaving = replacesFailedOnly(job) ? count.terminating : 0;
    const missing = Math.min(podsMax, wanted - active - leaving);
    if (missing <= 0) return active;
    const ownRetries = job.spec.backoffLimitPerIndex !== undefined;
    const retryAt = ownRetries ? 0 : count.ended.retryAt;
    const indexes = isIndexed(job) ? missingIndexes(job, count, missing) : undefined;
    const dueAt = indexes?.map((index) => (ownRetries ? count.ended.retryAtOf(index) : retryAt)) ?? [retryAt];
    const next = Math.min(...dueAt.filter((at) => at > now));
    if (Number.isFinite(next)) this.#loop.addAt(view.key, next);
    const due = indexes?.filter((_, number) => (dueAt[number] ?? 0) <= now);
    const start = due?.length ?? (retryAt > now ? 0 : missing);
    await this.#control.createMany(view, start, (number) => {
      const pod = this.#control.podOf(view, job.spec.template);
      const index = due?.[number];
      if (index !== undefined) {
        setIndex(pod, job, index, this.#cluster);
        if (ownRetries) noteFailures(pod, count.ended.failuresOf(index), this.#cluster.domain);
      }
      return pod;
    });
    return active + start;
  }

  /** The pods that are too many, and those whose index another pod has or the job lacks. */
  #surplus(job: Job, active: readonly PodView[], wanted: number): readonly PodView[] {
    const ordered = deletionOrder(active);
    if (!isIndexed(job)) return ordered.slice(0, Math.max(0, active.length - wanted));
    const kept = new Map<number, PodView>();
    // The last in the order of deletion stays.
    for (const pod of ordered) {
      const index = indexOf(pod.stored.decode(), this.#cluster.domain);
      if (index !== undefined && index < (job.spec.completions ?? 0)) kept.set(index, pod);
    }
    const left = new Set(kept.values());
    const surplus = ordered.filter((pod) => !left.has(pod));
    const more = Math.max(0, active.length - wanted - surplus.length);
    return [...surplus, ...ordered.filter((pod) => left.has(pod)).slice(0, more)];
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
      failed: Math.max(wanted.failed ?? 0, count.ended.failed),
      completedIndexes: isIndexed(job) ? formatIndexes(count.ended.completed) : undefined,
      failedIndexes:
        job.spec.backoffLimitPerIndex === undefined ? undefined : formatIndexes(count.ended.failedIndexes),
      ...(isEnabled("JobReadyPods") && { ready: isOver({ ...job, status: wanted }) ? 0 : count.ready }),
      ...(isEnabled("JobPodReplacementPolicy") && { terminating: count.terminating }),
    };
    const status = { ...wanted, ...counts };
    const before = { active: 0, succeeded: 0, failed: 0, ...job.status };
    if (isDeepEqual(status, before)) return;
    await this.#control.writer.changePart("jobs.batch", view, (object) => {
      const conditions = mergedConditions(object.status.conditions, job.status.conditions, status.conditions);
      object.status = { ...status, conditions };
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
      count.ended.completed.has(index) ||
      count.ended.failedIndexes.has(index) ||
      count.activeIndexes.has(index);
    if (!isTaken) missing.push(index);
  }
  return missing;
}

function isManagedHere({ spec }: Job): boolean {
  return (spec.managedBy ?? "").endsWith("/job-controller");
}
