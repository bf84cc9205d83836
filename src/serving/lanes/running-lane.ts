import type { MetricChange } from "../../telemetry/metric-changes.js";
import { type ReadProcessorMs, WorkMeter } from "../../time/work-meter.js";
import type { LaneThread } from "./lane.js";
import { type EndReason, reasonOf } from "./lane-end.js";
import type { LaneJob } from "./lane-job.js";
import type { FromLane, LaneAnswer, LaneQuestion, LogEntry } from "./lane-messages.js";

/** More than one, so that a request that waits for a webhook does not block the lane. */
const requestsPerLane = 4;
/** Extra slots for users who have none yet, so that one user's slow webhooks do not block others. */
const reservedPlaces = 4;

/** Receives what a lane reports. */
export interface LaneHost {
  answerQuestion(question: LaneQuestion): Promise<LaneAnswer>;
  log(entry: LogEntry): void;
  counted(changes: readonly MetricChange[]): void;
  freed(seconds: number): void;
  ended(why: EndReason): void;
}

export interface LaneClocks {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Bytes that the process takes. */
  readonly memoryUsed: () => number;
  readonly processorMs?: ReadProcessorMs | undefined;
}

/** A thread and the requests in it. */
export class RunningLane {
  readonly #thread: LaneThread;
  readonly #clocks: LaneClocks;
  readonly #host: LaneHost;
  /** Measures the work since the last ping. */
  readonly #meter: WorkMeter;
  readonly #jobs = new Map<number, LaneJob>();
  #heardAtMs: number;
  #isReady = false;
  #isAsked = false;
  #isRetired = false;
  /** Memory of the process when the lane was last idle. */
  #usedBefore = 0;

  constructor(thread: LaneThread, clocks: LaneClocks, host: LaneHost) {
    this.#thread = thread;
    this.#clocks = clocks;
    this.#meter = new WorkMeter(clocks.processorMs);
    this.#host = host;
    this.#heardAtMs = clocks.now();
    thread.onMessage((message) => this.#received(message));
    thread.onEnd((end) => host.ended(reasonOf(end, this.#isReady)));
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get running(): number {
    return this.#jobs.size;
  }

  get takesMore(): boolean {
    return this.#jobs.size < requestsPerLane && !this.#isForOne && !this.#isRetired;
  }

  /** Whether there is a slot for this user although the lane is otherwise full. */
  reservesFor(user: string): boolean {
    if (this.#jobs.size >= requestsPerLane + reservedPlaces || this.#isForOne || this.#isRetired)
      return false;
    for (const job of this.#jobs.values()) if (job.user === user) return false;
    return true;
  }

  /** Whether it accepts no more requests, because the state that it started with has changed. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  retire(): void {
    this.#isRetired = true;
  }

  get #isForOne(): boolean {
    for (const job of this.#jobs.values()) if (job.isAlone) return true;
    return false;
  }

  /** How long it has not answered, while it starts or has requests. */
  get silentMs(): number {
    return this.#jobs.size === 0 && this.#isReady ? 0 : this.#clocks.now() - this.#heardAtMs;
  }

  /**
   * How long it has computed without answering a ping: processor time if the system reports it, because on a busy machine a low-priority
   * thread hardly runs.
   */
  get computedMs(): number {
    const usedMs = this.#isAsked ? this.#meter.usedMs : undefined;
    return Math.min(usedMs ?? Number.POSITIVE_INFINITY, this.silentMs);
  }

  /** How long it has been idle. */
  get idleMs(): number {
    return this.#jobs.size === 0 && this.#isReady ? this.#clocks.now() - this.#heardAtMs : 0;
  }

  /** By how much the process has grown since the lane's work began; 0 unless a ping is unanswered. */
  get grownBytes(): number {
    return this.#isReady && this.#isAsked ? this.#clocks.memoryUsed() - this.#usedBefore : 0;
  }

  begin(job: LaneJob): void {
    if (this.#jobs.size === 0) {
      if (this.#isReady) this.#heard();
      this.#usedBefore = this.#clocks.memoryUsed();
    }
    this.#jobs.set(job.id, job);
    try {
      this.#thread.post({ kind: "request", request: job.request() });
    } catch (error) {
      this.#jobs.delete(job.id);
      job.reject(error);
    }
  }

  abandon(job: LaneJob): void {
    // The job stays until the lane confirms: its slot is not free before.
    if (this.#jobs.has(job.id)) this.#thread.post({ kind: "abort", id: job.id });
  }

  hasWritten(job: LaneJob): boolean {
    return this.#thread.hasWritten(job.id);
  }

  ping(): void {
    if (this.#isAsked || !this.#isReady) return;
    this.#isAsked = true;
    this.#meter.begin();
    this.#thread.post({ kind: "ping" });
  }

  /** Terminates the thread and returns its unfinished jobs. None of them writes afterwards. */
  end(): readonly LaneJob[] {
    const jobs = [...this.#jobs.values()].filter(({ isSettled }) => !isSettled);
    this.#jobs.clear();
    this.#thread.end();
    return jobs;
  }

  #heard(): void {
    this.#heardAtMs = this.#clocks.now();
  }

  #received(message: FromLane): void {
    this.#heard();
    switch (message.kind) {
      case "ready":
        this.#isReady = true;
        this.#meter.measure(message.thread);
        this.#usedBefore = this.#clocks.memoryUsed();
        break;
      case "done": {
        const job = this.#jobs.get(message.id);
        this.#jobs.delete(message.id);
        this.#thread.forget(message.id);
        job?.resolve(message);
        this.#host.freed(job === undefined ? 0 : (this.#clocks.now() - job.startedAtMs) / 1000);
        break;
      }
      case "log":
        this.#host.log(message.entry);
        break;
      case "ask": {
        const { id } = message;
        this.#host
          .answerQuestion(message.question)
          .then((value) => this.#thread.post({ kind: "told", id, value }))
          // This also happens when the answer cannot be cloned.
          .catch((error: unknown) => this.#thread.post({ kind: "refused", id, message: String(error) }));
        break;
      }
      case "counted":
        this.#host.counted(message.changes);
        break;
      case "pong":
        this.#isAsked = false;
        this.#usedBefore = this.#clocks.memoryUsed();
        break;
    }
  }
}
