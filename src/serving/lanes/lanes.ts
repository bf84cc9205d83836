import { asError } from "../../apimachinery/errors/as-error.js";
import { StatusError, tooManyRequests } from "../../apimachinery/errors/status.js";
import type { MetricChange } from "../../telemetry/metric-changes.js";
import type { SpanRecord } from "../../telemetry/span-record.js";
import type { ReadProcessorMs } from "../../time/work-meter.js";
import type { RequestContext } from "../request/request-context.js";
import type { AnswerBudget } from "../responses/answer-budget.js";
import { respondCompressed } from "../responses/gzip.js";
import type { ObjectForm } from "../responses/large-forms.js";
import type { OpenLane } from "./lane.js";
import { describeEnd, type EndReason, errorOfEnd } from "./lane-end.js";
import { type Done, LaneJob } from "./lane-job.js";
import type { LaneAnswer, LaneQuestion, LogEntry } from "./lane-messages.js";
import { applyNotes } from "./lane-notes.js";
import { RunningLane } from "./running-lane.js";
import { UserQueue } from "./user-queue.js";

export interface LanesOptions {
  readonly open: OpenLane;
  readonly lanesMax: number;
  /** How long a lane may compute without answering a ping, in processor time where the system reports it. */
  readonly timeLimitMs: number;
  /** By how much the process may grow while a lane computes without answering a ping. */
  readonly memoryLimitBytes: number;
  /** How long an idle lane is kept. */
  readonly idleMs: number;
  readonly answers: AnswerBudget;
  readonly compress: boolean;
  /** Awaited before a write is answered: this thread's caches must include the write. */
  readonly written: (context: RequestContext) => Promise<void> | undefined;
  /** Answers what a lane cannot know by itself. */
  readonly answerQuestion: (question: LaneQuestion) => Promise<LaneAnswer>;
  /** Receives spans that ended in a lane. */
  readonly traced?: ((spans: readonly SpanRecord[]) => void) | undefined;
  readonly log: (entry: LogEntry) => void;
  readonly observer?: LanesObserver | undefined;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Memory of the process in bytes. */
  readonly memoryUsed?: () => number;
  readonly processorMs?: ReadProcessorMs | undefined;
}

/** Observes lanes, for metrics. */
export interface LanesObserver {
  /** Lanes, requests in them, and requests that wait for one. */
  changed(state: { readonly lanes: number; readonly running: number; readonly waiting: number }): void;
  answered(seconds: number): void;
  /** A lane was terminated because of its requests, or could not be started. */
  ended(why: EndReason["kind"]): void;
  /** Metric changes from a lane. */
  counted(changes: readonly MetricChange[]): void;
}

const lookMs = 250;
/** A lane that takes longer to start is terminated. */
const startMsMax = 60_000;
/** A lane that does not answer for this many times its time limit is stuck, even if it has used little processor time. */
const silenceFactor = 6;
/** How long to wait before the next lane is started after a failed start. */
const pauseMs = 1000;

/**
 * Threads that answer whole large requests, in which users take turns. The first lane starts with the first request. A lane that computes
 * too long or needs too much memory is terminated and replaced; its requests that wrote nothing are retried, each alone in a lane.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #now: () => number;
  readonly #memoryUsed: () => number;
  readonly #lanes = new Set<RunningLane>();
  readonly #waiting = new UserQueue<LaneJob>();
  /** Requests in their second attempt, each alone in a lane. */
  readonly #suspects = new Set<LaneJob>();
  #nextId = 1;
  #look: NodeJS.Timeout | undefined;
  #startsAgainAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: LanesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#memoryUsed = options.memoryUsed ?? (() => process.memoryUsage.rss());
  }

  /** Answers the request, whose body is already read. Rejects with a `StatusError`, or with the reason of the request's signal. */
  async answer(context: RequestContext): Promise<void> {
    const { outcome, notes } = await this.#run(context);
    applyNotes(notes, context);
    if (notes.spans.length > 0) this.#options.traced?.(notes.spans);
    if (outcome.kind === "error") throw new StatusError(outcome.status);
    const { status, headers, body } = outcome;
    const { answers, compress, written } = this.#options;
    if (context.info.verb !== "get") await written(context);
    answers.hold(context.exchange, body.length);
    await respondCompressed(context.exchange, { status, headers, body, compress });
  }

  /** Makes a form of a large object in a lane, for the answer to this request. Rejects as `answer` does. */
  async make(form: ObjectForm, context: RequestContext): Promise<Buffer> {
    const { outcome, notes } = await this.#run(context, form);
    if (notes.spans.length > 0) this.#options.traced?.(notes.spans);
    if (outcome.kind === "error") throw new StatusError(outcome.status);
    return Buffer.from(outcome.body.buffer);
  }

  /** The state that lanes start with has changed: from here on, new lanes answer all requests. */
  renew(): void {
    for (const lane of this.#lanes) {
      lane.retire();
      this.#endRetired(lane);
    }
    this.#dispatch();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#look);
    const jobs = [...this.#suspects, ...this.#waiting.drain()];
    for (const lane of this.#lanes) jobs.push(...lane.end());
    this.#lanes.clear();
    this.#suspects.clear();
    for (const job of jobs) job.reject(stopped());
  }

  #run(context: RequestContext, form?: ObjectForm): Promise<Done> {
    if (this.#isClosed) return Promise.reject(stopped());
    return new Promise((resolve, reject) => {
      const job = new LaneJob(this.#nextId++, { context, form }, this.#now(), { resolve, reject });
      job.onAbandoned(() => {
        this.#waiting.remove(job.user, job);
        this.#suspects.delete(job);
        for (const lane of this.#lanes) lane.abandon(job);
        this.#tellState();
      });
      if (job.isSettled) return;
      this.#waiting.add(job.user, job);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#isClosed) return;
    for (const job of this.#suspects) {
      const lane = this.#idleLane();
      if (lane === undefined) break;
      this.#suspects.delete(job);
      lane.begin(job);
    }
    while (this.#waiting.size > 0) {
      const lane = this.#freeLane();
      const job = lane && this.#waiting.take();
      if (job === undefined) break;
      lane?.begin(job);
    }
    for (const lane of this.#lanes) {
      const job = this.#waiting.take((user) => lane.reservesFor(user));
      if (job !== undefined) lane.begin(job);
    }
    this.#tellState();
    if (this.#lanes.size > 0) this.#look ??= setTimeout(() => this.#watchHeartbeat(), lookMs).unref();
  }

  #idleLane(): RunningLane | undefined {
    for (const lane of this.#lanes) if (lane.running === 0 && !lane.isRetired) return lane;
    return this.#newLane();
  }

  /** The lane with the fewest requests; a new lane is preferred to a busy one. */
  #freeLane(): RunningLane | undefined {
    let best: RunningLane | undefined;
    for (const lane of this.#lanes) {
      if (lane.takesMore && (best === undefined || lane.running < best.running)) best = lane;
    }
    if (best !== undefined && best.running === 0) return best;
    return this.#newLane() ?? best;
  }

  /** If there is no lane and none can be started now, waiting requests are refused. */
  #newLane(): RunningLane | undefined {
    if (this.#lanes.size >= this.#options.lanesMax) return undefined;
    if (this.#now() >= this.#startsAgainAtMs) {
      try {
        return this.#opened();
      } catch (error) {
        const failure = asError(error);
        this.#tellEnd({ kind: "start", error: failure }, []);
        this.#startsAgainAtMs = this.#now() + pauseMs;
      }
    }
    if (this.#lanes.size === 0) this.#refuseWaiting();
    return undefined;
  }

  #opened(): RunningLane {
    const { open, answerQuestion, log, observer, processorMs } = this.#options;
    const clocks = { now: this.#now, memoryUsed: this.#memoryUsed, processorMs };
    const lane = new RunningLane(open(), clocks, {
      answerQuestion,
      log,
      counted: (changes) => observer?.counted(changes),
      freed: (seconds) => {
        observer?.answered(seconds);
        this.#endRetired(lane);
        this.#dispatch();
      },
      ended: (why) => this.#ended(lane, why),
    });
    this.#lanes.add(lane);
    return lane;
  }

  #endRetired(lane: RunningLane): void {
    if (!lane.isRetired || lane.running > 0) return;
    lane.end();
    this.#lanes.delete(lane);
  }

  #refuseWaiting(): void {
    const error = new Error("the last attempt failed a moment ago");
    const jobs = [...this.#suspects, ...this.#waiting.drain()];
    this.#suspects.clear();
    for (const job of jobs)
      job.reject(errorOfEnd({ kind: "start", error }, { mayBeDone: false, isCause: true }));
  }

  #ended(lane: RunningLane, why: EndReason): void {
    if (!this.#lanes.delete(lane)) return;
    const { running } = lane;
    const jobs = lane.end();
    this.#tellEnd(why, jobs);
    if (why.kind === "start") this.#startsAgainAtMs = this.#now() + pauseMs;
    for (const job of jobs) {
      const mayBeDone = lane.hasWritten(job);
      const isCause = job.isAlone || running === 1 || why.kind === "start";
      if (isCause || mayBeDone) job.reject(errorOfEnd(why, { mayBeDone, isCause }));
      else {
        job.isAlone = true;
        this.#suspects.add(job);
      }
    }
    this.#dispatch();
  }

  #tellEnd(why: EndReason, jobs: readonly LaneJob[]): void {
    const { observer, log } = this.#options;
    observer?.ended(why.kind);
    const values = { requests: jobs.map(({ name }) => name).join(", ") };
    const error = why.kind === "failure" || why.kind === "start" ? why.error : undefined;
    const severity = error === undefined ? "warn" : "error";
    log({ severity, message: describeEnd(why), values, stack: error && (error.stack ?? error.message) });
  }

  /** Terminates lanes that are stuck or have grown too much, and those that have been idle for long. */
  #watchHeartbeat(): void {
    this.#look = undefined;
    for (const lane of [...this.#lanes]) {
      const why = this.#whyToEnd(lane);
      if (why !== undefined) this.#ended(lane, why);
      else if (lane.idleMs > this.#options.idleMs) {
        lane.end();
        this.#lanes.delete(lane);
      } else if (lane.running > 0) lane.ping();
    }
    this.#dispatch();
  }

  #whyToEnd(lane: RunningLane): EndReason | undefined {
    const { timeLimitMs, memoryLimitBytes } = this.#options;
    if (!lane.isReady) {
      const error = new Error(`it is not ready after ${startMsMax / 1000} s`);
      return lane.silentMs > startMsMax ? { kind: "start", error } : undefined;
    }
    const isStuck = lane.silentMs > silenceFactor * timeLimitMs;
    if (isStuck || lane.computedMs > timeLimitMs) return { kind: "time", limitMs: timeLimitMs };
    return lane.grownBytes > memoryLimitBytes ? { kind: "memory" } : undefined;
  }

  #tellState(): void {
    let running = 0;
    for (const lane of this.#lanes) running += lane.running;
    const waiting = this.#waiting.size + this.#suspects.size;
    this.#options.observer?.changed({ lanes: this.#lanes.size, running, waiting });
  }
}

function stopped(): StatusError {
  return tooManyRequests("the server is stopping", 1);
}
