import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { CronJob, Job } from "../../apis/gen/batch-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { EventSubject } from "../machinery/event-writer.js";
import type { ObjectView } from "../machinery/object-view.js";
import { ownerReference } from "../machinery/owners.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeMs, timeText } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { CronSchedule, zonedTimeText } from "./cron-schedule.js";
import { endCondition } from "./job-conditions.js";

type View = ObjectView<CronJob>;

const kind = { apiVersion: "batch/v1", kind: "CronJob" };
/** With more missed times than this, a warning is recorded. */
const missedMax = 100;

/** Starts the jobs of cron jobs when they are due. Source: Kubernetes' cron job controller, version 2. */
export class CronJobs implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("cronjob-controller");
    this.#recorder = cluster.recorder("cronjob-controller");
    this.#loop = cluster.loop({ name: "cronjob", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    this.#loop.fedBy(
      views.of("cronjobs.batch").onChange(({ key }) => this.#loop.add(key)),
      views.selecting("jobs.batch").onChange(({ value, previous }) => {
        const job = value ?? previous;
        if (job?.controller?.kind !== "CronJob") return;
        this.#loop.addSoon(`${job.namespace}/${job.controller.name}`);
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.of("cronjobs.batch").get(key);
    if (view === undefined) {
      this.#loop.forget(key);
      return;
    }
    const cron = view.stored.decode();
    await this.#noteEnded(view, cron);
    await this.#cleanUp(view, cron);
    if (view.isTerminating || cron.spec.suspend === true) return;
    await this.#startDue(view, this.#cluster.views.of("cronjobs.batch").get(key)?.stored.decode() ?? cron);
  }

  #jobs(view: View): readonly Job[] {
    const views = this.#cluster.views.selecting("jobs.batch").find("controller", view.uid);
    return [...views].map(({ stored }) => stored.decode());
  }

  /** Removes ended jobs from the list of active ones. */
  async #noteEnded(view: View, cron: CronJob): Promise<void> {
    const jobs = new Map(this.#jobs(view).map((job) => [job.metadata.uid, job]));
    const active = (cron.status.active ?? []).filter(({ uid, name = "" }) => {
      const job = jobs.get(uid);
      const end = job && endCondition(job.status);
      if (job !== undefined && end === undefined) return true;
      const message =
        end === undefined
          ? `Active job went missing: ${name}`
          : `Saw completed job: ${name}, status: ${end.type}`;
      const reason = end === undefined ? "MissingJob" : "SawCompletedJob";
      this.#recorder.record(subjectOf(view), "Normal", reason, message);
      return false;
    });
    const successes = [...jobs.values()]
      .map(({ status }) => status.completionTime)
      .filter((at) => at !== undefined);
    const last = [cron.status.lastSuccessfulTime, ...successes]
      .filter((at) => at !== undefined)
      .sort()
      .at(-1);
    if (isDeepEqual(active, cron.status.active) && last === cron.status.lastSuccessfulTime) return;
    await this.#writer.changePart("cronjobs.batch", view, ({ status }) => {
      const kept = new Set(active.map(({ uid }) => uid));
      status.active = (status.active ?? []).filter(({ uid }) => kept.has(uid));
      status.lastSuccessfulTime = last;
    });
  }

  async #cleanUp(view: View, { spec }: CronJob): Promise<void> {
    const ended = this.#jobs(view).filter(({ status }) => endCondition(status) !== undefined);
    for (const [type, limit] of [
      ["Complete", spec.successfulJobsHistoryLimit],
      ["Failed", spec.failedJobsHistoryLimit],
    ] as const) {
      if (limit === undefined) continue;
      const ofType = ended
        .filter(({ status }) => endCondition(status)?.type === type)
        .sort((a, b) => (a.status.startTime ?? "").localeCompare(b.status.startTime ?? ""));
      for (const { metadata } of ofType.slice(0, Math.max(0, ofType.length - limit))) {
        const name = metadata.name ?? "";
        const target = { namespace: view.namespace, name, uid: metadata.uid };
        await this.#writer.delete("jobs.batch", target, { propagationPolicy: "Background" });
        this.#recorder.record(subjectOf(view), "Normal", "SuccessfulDelete", `Deleted job ${name}`);
      }
    }
  }

  async #startDue(view: View, cron: CronJob): Promise<void> {
    const now = this.#cluster.now();
    const { spec, status, metadata } = cron;
    const schedule = new CronSchedule(spec.schedule, spec.timeZone);
    const created = timeMs(metadata.creationTimestamp) ?? now;
    const deadlineMs =
      spec.startingDeadlineSeconds === undefined ? undefined : Number(spec.startingDeadlineSeconds) * 1000;
    let since = timeMs(status.lastScheduleTime) ?? created;
    if (deadlineMs !== undefined) since = Math.max(since, now - deadlineMs);
    const due = lastDue(schedule, since, now);
    const next = schedule.next(now);
    if (next !== undefined) this.#loop.addAt(view.key, next);
    if (due === undefined) return;
    if (due.missed > missedMax) {
      const message = `too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew`;
      this.#recorder.record(subjectOf(view), "Warning", "TooManyMissedTimes", message);
    }
    const active = status.active ?? [];
    if (spec.concurrencyPolicy === "Forbid" && active.length > 0) {
      const message = "Not starting job because prior execution is running and concurrency policy is Forbid";
      this.#recorder.record(subjectOf(view), "Normal", "JobAlreadyActive", message);
      return;
    }
    if (spec.concurrencyPolicy === "Replace") {
      for (const { name = "" } of active) {
        const target = { namespace: view.namespace, name };
        await this.#writer.delete("jobs.batch", target, { propagationPolicy: "Background" });
        this.#recorder.record(subjectOf(view), "Normal", "SuccessfulDelete", `Deleted job ${name}`);
      }
    }
    await this.#startJob(view, cron, due.at);
  }

  /** Since 1.28, a job says for which time it was started. */
  #annotations(own: Record<string, string> | undefined, timeZone: string | undefined, at: number) {
    const { domain, context } = this.#cluster;
    if (!isAtLeast(context.level, "1.28")) return own;
    return { ...own, [`batch.${domain}/cronjob-scheduled-timestamp`]: zonedTimeText(at, timeZone) };
  }

  async #startJob(view: View, { spec }: CronJob, at: number): Promise<void> {
    const name = `${view.name}-${Math.floor(at / 60_000)}`;
    const { metadata, spec: jobSpec } = structuredClone(spec.jobTemplate);
    const job: Job = {
      metadata: {
        name,
        labels: metadata?.labels,
        annotations: this.#annotations(metadata?.annotations, spec.timeZone, at),
        ownerReferences: [ownerReference(kind, view)],
      },
      spec: jobSpec,
      status: {},
    };
    let uid: string | undefined;
    try {
      const stored = await this.#writer.create("jobs.batch", view.namespace, job);
      uid = stored.decode().metadata.uid;
    } catch (error) {
      if (!isStatus(error, "AlreadyExists")) {
        const message = `Error creating job: ${messageOf(error)}`;
        this.#recorder.record(subjectOf(view), "Warning", "FailedCreate", message);
        throw error;
      }
      uid = this.#jobs(view).find((each) => each.metadata.name === name)?.metadata.uid;
      if (uid === undefined) return;
    }
    this.#recorder.record(subjectOf(view), "Normal", "SuccessfulCreate", `Created job ${name}`);
    await this.#writer.changePart("cronjobs.batch", view, ({ status }) => {
      const reference = { apiVersion: "batch/v1", kind: "Job", namespace: view.namespace, name, uid };
      const others = (status.active ?? []).filter((each) => each.uid !== uid);
      status.active = [...others, reference];
      status.lastScheduleTime = timeText(at);
    });
  }
}

/** The last time in (since, now], and how many there were. */
function lastDue(
  schedule: CronSchedule,
  since: number,
  now: number,
): { readonly at: number; readonly missed: number } | undefined {
  let last: number | undefined;
  let missed = 0;
  for (let at = schedule.next(since); at !== undefined && at <= now; at = schedule.next(at)) {
    last = at;
    missed++;
    if (missed > missedMax) return { at: lastBefore(schedule, last, now), missed };
  }
  return last === undefined ? undefined : { at: last, missed };
}

/** Finds the last of many times without counting them all: it searches the shortest period before `now` that has one. */
function lastBefore(schedule: CronSchedule, since: number, now: number): number {
  for (let periodMs = 3_600_000; now - periodMs > since; periodMs *= 24) {
    let last: number | undefined;
    for (let at = schedule.next(now - periodMs); at !== undefined && at <= now; at = schedule.next(at))
      last = at;
    if (last !== undefined) return last;
  }
  return since;
}

function subjectOf({ namespace, name, uid }: View): EventSubject {
  return { ...kind, namespace, name, uid };
}
