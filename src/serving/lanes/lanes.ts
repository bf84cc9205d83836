import { requestTooLarge, StatusError, timedOut, tooManyRequests } from "../../apimachinery/status.js";
import { authenticated } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import type { AnswerBudget } from "../responses/answer-budget.js";
import { respondCompressed } from "../responses/gzip.js";
import type { LaneEnd, LaneThread, OpenLane } from "./lane.js";
import { recordNotes } from "./lane-audit.js";
import type {
  FromLane,
  LaneNotes,
  LaneOutcome,
  LaneQuestion,
  LaneRequest,
  LogEntry,
} from "./lane-messages.js";
import { UserQueue } from "./user-queue.js";

export interface LanesOptions {
  readonly open: OpenLane;
  readonly lanesMax: number;
  /** How long a lane may compute without a break. */
  readonly timeLimitMs: number;
  /** How long a lane stays without requests. */
  readonly idleMs: number;
  readonly answers: AnswerBudget;
  readonly compress: boolean;
  /** Awaited before the answer of a write: what this thread keeps in memory must include it. */
  readonly written: (context: RequestContext) => Promise<void> | undefined;
  /** Answers what a lane cannot know itself. */
  readonly answerQuestion: (question: LaneQuestion) => Promise<unknown>;
  readonly log: (entry: LogEntry) => void;
  readonly observer?: LanesObserver | undefined;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Is told what happens in the lanes. */
export interface LanesObserver {
  /** Lanes, requests in them, and requests that wait for one. */
  changed(state: { readonly lanes: number; readonly running: number; readonly waiting: number }): void;
  answered(seconds: number): void;
  /** A lane was ended because of what ran in it. */
  ended(why: "memory" | "time" | "failure"): void;
}

/** Requests that wait for a webhook, for example, do not keep others from the lane. */
const requestsPerLane = 4;
const lookMs = 500;

/**
 * Threads that answer large requests, as a whole and in order of their users' turns. The first begins with the first request; a lane
 * that computes too long or needs too much memory is ended and replaced, and what ran in it is tried again alone where it wrote nothing.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #now: () => number;
  readonly #lanes = new Set<Lane>();
  readonly #waiting = new UserQueue<Job>();
  /** Those that are tried a second time, each with a lane of its own. */
  readonly #suspects: Job[] = [];
  #nextId = 1;
  #look: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: LanesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Answers the request, whose body was read. Rejects with a `StatusError`, or with the reason of the request's signal. */
  async answer(context: RequestContext): Promise<void> {
    const { outcome, notes } = await this.#run(context);
    apply(notes, context);
    if (outcome.kind === "error") {
      throw new StatusError(
        outcome.status,
        outcome.cause === undefined ? undefined : new Error(outcome.cause),
      );
    }
    const { status, headers, body } = outcome;
    const { answers, compress, written } = this.#options;
    if (context.info.verb !== "get") await written(context);
    answers.hold(context.exchange, body.length);
    await respondCompressed(context.exchange, { status, headers, body, compress });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#look);
    for (const lane of this.#lanes) lane.end();
    this.#lanes.clear();
    for (const job of [...this.#suspects, ...this.#waiting.drain()]) job.reject(stopped());
  }

  #run(context: RequestContext): Promise<Done> {
    if (this.#isClosed) return Promise.reject(stopped());
    return new Promise((resolve, reject) => {
      const job = new Job(this.#nextId++, context, this.#now(), { resolve, reject });
      job.onAbandoned(() => {
        this.#waiting.remove(job.user, job);
        for (const lane of this.#lanes) lane.abandon(job);
        this.#tellState();
      });
      this.#waiting.add(job.user, job);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#suspects.length > 0) {
      const lane = this.#idleLane();
      const job = lane && this.#suspects.shift();
      if (job === undefined) break;
      lane?.begin(job);
    }
    while (this.#waiting.size > 0) {
      const lane = this.#freeLane();
      const job = lane && this.#waiting.take();
      if (job === undefined) break;
      lane?.begin(job);
    }
    this.#tellState();
    if (this.#lanes.size > 0) this.#look ??= setTimeout(() => this.#lookAfter(), lookMs).unref();
  }

  #idleLane(): Lane | undefined {
    for (const lane of this.#lanes) if (lane.running === 0) return lane;
    return this.#newLane();
  }

  /** The one with the fewest requests; a new one rather than one that is busy. */
  #freeLane(): Lane | undefined {
    let best: Lane | undefined;
    for (const lane of this.#lanes) {
      if (lane.takesMore && (best === undefined || lane.running < best.running)) best = lane;
    }
    if (best !== undefined && best.running === 0) return best;
    return this.#newLane() ?? best;
  }

  #newLane(): Lane | undefined {
    if (this.#lanes.size >= this.#options.lanesMax) return undefined;
    const { open, answerQuestion, log } = this.#options;
    const lane = new Lane(open(), this.#now, {
      answerQuestion,
      log,
      freed: (seconds) => {
        this.#options.observer?.answered(seconds);
        this.#dispatch();
      },
      ended: (why) => this.#ended(lane, why),
    });
    this.#lanes.add(lane);
    return lane;
  }

  #ended(lane: Lane, why: Why): void {
    this.#lanes.delete(lane);
    this.#options.observer?.ended(why.kind);
    const jobs = lane.end();
    for (const job of jobs) {
      if (job.isAlone || jobs.length === 1 || lane.hasWritten(job)) job.reject(errorOf(why));
      else {
        job.isAlone = true;
        this.#suspects.push(job);
      }
    }
    this.#dispatch();
  }

  /** Ends lanes that are stuck, and those that have had nothing to do for long. */
  #lookAfter(): void {
    this.#look = undefined;
    const { timeLimitMs, idleMs } = this.#options;
    for (const lane of this.#lanes) {
      if (lane.silentMs > timeLimitMs) this.#ended(lane, { kind: "time", limitMs: timeLimitMs });
      else if (lane.running === 0 && lane.idleMs > idleMs) {
        lane.end();
        this.#lanes.delete(lane);
      } else if (lane.running > 0) lane.ping();
    }
    this.#dispatch();
  }

  #tellState(): void {
    let running = 0;
    for (const lane of this.#lanes) running += lane.running;
    const waiting = this.#waiting.size + this.#suspects.length;
    this.#options.observer?.changed({ lanes: this.#lanes.size, running, waiting });
  }
}

interface Done {
  readonly outcome: LaneOutcome;
  readonly notes: LaneNotes;
}

/** One request on its way through the lanes. */
class Job {
  readonly id: number;
  readonly context: RequestContext;
  readonly startedAtMs: number;
  /** Is tried a second time. */
  isAlone = false;
  isSettled = false;
  readonly #signal: AbortSignal;
  readonly #settle: { resolve(done: Done): void; reject(error: unknown): void };
  #abandon: () => void = () => undefined;

  constructor(
    id: number,
    context: RequestContext,
    startedAtMs: number,
    settle: { resolve(done: Done): void; reject(error: unknown): void },
  ) {
    this.id = id;
    this.context = context;
    this.startedAtMs = startedAtMs;
    this.#settle = settle;
    this.#signal = context.signal;
  }

  get user(): string {
    return this.context.user?.name ?? "";
  }

  /** Calls `listener` when the answer is no longer needed; the job is rejected then. */
  onAbandoned(listener: () => void): void {
    this.#abandon = () => {
      listener();
      this.reject(this.#signal.reason);
    };
    if (this.#signal.aborted) this.#abandon();
    else this.#signal.addEventListener("abort", this.#abandon, { once: true });
  }

  resolve(done: Done): void {
    if (this.#isFirst()) this.#settle.resolve(done);
  }

  reject(error: unknown): void {
    if (this.#isFirst()) this.#settle.reject(error);
  }

  #isFirst(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.#signal.removeEventListener("abort", this.#abandon);
    return true;
  }
}

type Why =
  | { readonly kind: "time"; readonly limitMs: number }
  | { readonly kind: "memory" }
  | { readonly kind: "failure"; readonly error: Error };

interface LaneHost {
  answerQuestion(question: LaneQuestion): Promise<unknown>;
  log(entry: LogEntry): void;
  freed(seconds: number): void;
  ended(why: Why): void;
}

/** A thread and the requests in it. */
class Lane {
  readonly #thread: LaneThread;
  readonly #now: () => number;
  readonly #host: LaneHost;
  readonly #jobs = new Map<number, Job>();
  #heardAtMs: number;
  #isReady = false;

  constructor(thread: LaneThread, now: () => number, host: LaneHost) {
    this.#thread = thread;
    this.#now = now;
    this.#host = host;
    this.#heardAtMs = now();
    thread.onMessage((message) => this.#received(message));
    thread.onEnd((end) => host.ended(whyOf(end)));
  }

  get running(): number {
    return this.#jobs.size;
  }

  get takesMore(): boolean {
    if (this.#jobs.size >= requestsPerLane) return false;
    for (const job of this.#jobs.values()) if (job.isAlone) return false;
    return true;
  }

  /** How long it has not answered while it has something to do. */
  get silentMs(): number {
    return this.#jobs.size === 0 || !this.#isReady ? 0 : this.#now() - this.#heardAtMs;
  }

  /** How long it has had nothing to do. */
  get idleMs(): number {
    return this.#jobs.size === 0 ? this.#now() - this.#heardAtMs : 0;
  }

  begin(job: Job): void {
    if (this.#jobs.size === 0) this.#heardAtMs = this.#now();
    this.#jobs.set(job.id, job);
    this.#thread.post({ kind: "request", request: requestOf(job) });
  }

  abandon(job: Job): void {
    if (!this.#jobs.has(job.id)) return;
    // It stays until the lane has noticed: its place is not free before.
    this.#thread.post({ kind: "abort", id: job.id });
  }

  hasWritten(job: Job): boolean {
    return this.#thread.hasWritten(job.id);
  }

  ping(): void {
    this.#thread.post({ kind: "ping" });
  }

  /** Returns what ran in it. */
  end(): readonly Job[] {
    const jobs = [...this.#jobs.values()].filter(({ isSettled }) => !isSettled);
    this.#jobs.clear();
    this.#thread.end();
    return jobs;
  }

  #received(message: FromLane): void {
    this.#heardAtMs = this.#now();
    switch (message.kind) {
      case "ready":
        this.#isReady = true;
        break;
      case "done": {
        const job = this.#jobs.get(message.id);
        this.#jobs.delete(message.id);
        this.#thread.forget(message.id);
        job?.resolve(message);
        this.#host.freed(job === undefined ? 0 : (this.#now() - job.startedAtMs) / 1000);
        break;
      }
      case "log":
        this.#host.log(message.entry);
        break;
      case "ask": {
        const { id } = message;
        this.#host.answerQuestion(message.question).then(
          (value) => this.#thread.post({ kind: "told", id, value }),
          (error: unknown) => this.#thread.post({ kind: "refused", id, message: String(error) }),
        );
        break;
      }
      case "pong":
        break;
    }
  }
}

function requestOf({ id, context }: Job): LaneRequest {
  const { exchange, body, receivedAt, audit } = context;
  const { user, authenticatedUser } = authenticated(context);
  const { "accept-encoding": _, ...headers } = exchange.headers;
  return {
    id,
    method: exchange.method,
    target: exchange.target,
    headers,
    remoteAddress: exchange.remoteAddress,
    remotePort: exchange.remotePort,
    authenticatedUser,
    user,
    auditLevel: audit?.level,
    receivedAtMs: receivedAt.getTime(),
    body: inBufferOfItsOwn(body.bytes),
  };
}

/** A clone of a view would copy the whole buffer that it lies in. */
function inBufferOfItsOwn(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}

function apply(notes: LaneNotes, context: RequestContext): void {
  for (const [name, value] of notes.headers) context.exchange.addResponseHeader(name, value);
  if (context.audit !== undefined) recordNotes(context.audit, notes.audit);
  for (const text of notes.steps) context.step(text);
  context.addMutatingWebhookTime(notes.mutatingWebhooksMs);
  context.addValidatingWebhookTime(notes.validatingWebhooksMs);
}

function whyOf(end: LaneEnd): Why {
  return end.kind === "outOfMemory" ? { kind: "memory" } : { kind: "failure", error: end.error };
}

function errorOf(why: Why): StatusError {
  switch (why.kind) {
    case "memory":
      return requestTooLarge("the request takes more memory than --lane-memory-bytes allows");
    case "time":
      return timedOut(
        `the request computes for more than ${why.limitMs / 1000} s, the limit of --lane-time-limit`,
      );
    case "failure":
      return new StatusError(
        { message: "the thread that worked on the request has failed", reason: "InternalError", code: 500 },
        why.error,
      );
  }
}

function stopped(): StatusError {
  return tooManyRequests("the server is stopping", 1);
}
