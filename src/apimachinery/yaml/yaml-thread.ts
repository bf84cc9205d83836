import { Worker } from "node:worker_threads";
import { type ReadProcessorMs, WorkMeter } from "../../time/work-meter.js";
import { isOutOfMemory } from "../errors/out-of-memory.js";
import { YamlSyntaxError } from "./yaml-syntax-error.js";
import type { FromYamlThread, YamlOutcome, YamlTask } from "./yaml-task.js";

/** Starting the thread takes about 60 ms, most of it to load the library. */
const idleMs = 10_000;
/** A 3 MiB list of objects takes less than half of it; 3 MiB of only numbers would take four times as much. */
const heapMb = 512;
/**
 * In processor time where the system reports it, because a low-priority thread hardly runs on a busy machine. Three megabytes of objects
 * take a third of it.
 */
const taskMs = 20_000;
/** A task that takes this many times as long by the clock is stuck, even if its thread has used little processor time. */
const stuckFactor = 6;
const lookMs = 250;

export interface YamlThreadOptions {
  readonly heapMbMax?: number;
  readonly processorMs?: ReadProcessorMs | undefined;
}

/**
 * One thread that processes tasks in order. The first task starts it, and it ends after a while without tasks; it does not keep the
 * process alive.
 */
export class YamlThread {
  readonly #script: URL;
  readonly #heapMbMax: number;
  readonly #meter: WorkMeter;
  readonly #waiting: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;
  #isStarting = false;
  #idle: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #stuck: NodeJS.Timeout | undefined;

  /** `script` is `yaml-worker.ts` as JavaScript. */
  constructor(script: URL, { heapMbMax = heapMb, processorMs }: YamlThreadOptions = {}) {
    this.#script = script;
    this.#heapMbMax = heapMbMax;
    this.#meter = new WorkMeter(processorMs);
  }

  /** For tests: whether there is a thread now. */
  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * The buffer of the task's bytes is transferred to the thread. Rejects with a `YamlSyntaxError` for a text that takes more memory than
   * the thread has, and with the signal's reason when it aborts, which abandons the task.
   */
  run(task: YamlTask, signal?: AbortSignal): Promise<YamlOutcome> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const abandon = (): void => this.#abandon(job);
      const detach = (): void => signal?.removeEventListener("abort", abandon);
      const job: Job = {
        task,
        resolve: (outcome) => {
          detach();
          resolve(outcome);
        },
        reject: (error) => {
          detach();
          reject(error);
        },
        reason: () => signal?.reason,
      };
      signal?.addEventListener("abort", abandon, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#idle);
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#idle = setTimeout(() => this.#end(), idleMs).unref();
      return;
    }
    this.#running = job;
    this.#worker ??= this.#start();
    this.#meter.begin();
    this.#lookIn(job, taskMs);
    this.#stuck = setTimeout(() => this.#giveUp(job), taskMs * stuckFactor).unref();
    const { task } = job;
    const bytes = task.kind === "parse" ? task.yaml : task.json;
    this.#worker.postMessage(task, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      name: "yaml",
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMbMax },
    });
    this.#isStarting = true;
    this.#meter.measure(undefined);
    worker.on("message", (message: FromYamlThread) => {
      if (message.kind === "started") this.#started(message.thread);
      else this.#settle((job) => job.resolve(message));
    });
    worker.on("error", (error: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#settle((job) => job.reject(isOutOfMemory(error) ? tooMuchMemory() : error));
    });
    worker.unref();
    return worker;
  }

  #started(thread: number | undefined): void {
    this.#isStarting = false;
    this.#meter.measure(thread);
  }

  #lookIn(job: Job, ms: number): void {
    const look = (): void => {
      const usedMs = this.#isStarting ? 0 : (this.#meter.usedMs ?? taskMs);
      const leftMs = taskMs - usedMs;
      if (leftMs <= 0) this.#giveUp(job);
      else this.#lookIn(job, Math.max(leftMs, lookMs));
    };
    this.#look = setTimeout(look, ms).unref();
  }

  #giveUp(job: Job): void {
    if (this.#running !== job) return;
    this.#end();
    this.#settle(() => job.reject(new YamlSyntaxError("document takes too long to read")));
  }

  #settle(how: (job: Job) => void): void {
    this.#stopLooking();
    const job = this.#running;
    this.#running = undefined;
    if (job !== undefined) how(job);
    this.#next();
  }

  #abandon(job: Job): void {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    job.reject(job.reason());
    if (this.#running !== job) return;
    this.#stopLooking();
    // A stuck thread can only be terminated, and other tasks wait for it.
    this.#running = undefined;
    this.#end();
    this.#next();
  }

  #stopLooking(): void {
    clearTimeout(this.#look);
    clearTimeout(this.#stuck);
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    void worker?.terminate();
  }
}

interface Job {
  readonly task: YamlTask;
  resolve(outcome: YamlOutcome): void;
  reject(error: unknown): void;
  reason(): unknown;
}

function tooMuchMemory(): YamlSyntaxError {
  return new YamlSyntaxError("document takes too much memory");
}
