import { tooManyRequests } from "../errors/status.js";
import type { YamlOutcome, YamlTask } from "./yaml-task.js";
import type { YamlThread } from "./yaml-thread.js";

/** Texts up to this size do not wait for longer ones: they take a fraction of a second. */
export const smallBytesMax = 256 * 1024;
/** Waiting tasks; each at most 3 MiB. */
const waitingMax = 200;

export interface YamlRunner {
  /**
   * The buffer of the task's bytes is transferred. Rejects with `YamlSyntaxError` for a text that takes too much memory or time, with
   * 429 when too many wait, and with the signal's reason.
   */
  run(task: YamlTask, signal?: AbortSignal, client?: string): Promise<YamlOutcome>;
}

/**
 * Two threads: one for any text, one reserved for small texts. The waiting client that has had the least text read is next, so a client
 * with many long texts waits for its own.
 */
export class YamlPool implements YamlRunner {
  readonly #lanes: readonly Lane[];
  readonly #clients = new Map<string, Client>();
  #waiting = 0;

  constructor(threads: { readonly any: YamlThread; readonly small: YamlThread }) {
    this.#lanes = [
      { thread: threads.small, bytesMax: smallBytesMax, isBusy: false },
      { thread: threads.any, bytesMax: Number.POSITIVE_INFINITY, isBusy: false },
    ];
  }

  async run(task: YamlTask, signal?: AbortSignal, client = ""): Promise<YamlOutcome> {
    signal?.throwIfAborted();
    if (this.#waiting >= waitingMax) throw tooManyRequests("too many YAML documents are waiting", 1);
    return await new Promise<YamlOutcome>((resolve, reject) => {
      const job: Job = { task, bytes: bytesOf(task), signal, resolve, reject };
      const leave = (): void => {
        if (this.#remove(client, job)) reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      job.started = () => signal?.removeEventListener("abort", leave);
      this.#add(client, job);
      this.#next();
    });
  }

  #add(name: string, job: Job): void {
    let client = this.#clients.get(name);
    if (client === undefined) {
      // A new client starts with the least text read so far: time without a queued task earns no credit.
      const least = Math.min(...[...this.#clients.values()].map(({ readBytes }) => readBytes));
      client = { jobs: [], running: 0, readBytes: Number.isFinite(least) ? least : 0 };
      this.#clients.set(name, client);
    }
    client.jobs.push(job);
    this.#waiting++;
  }

  #next(): void {
    for (const lane of this.#lanes) {
      if (lane.isBusy) continue;
      const found = this.#choose(lane.bytesMax);
      if (found !== undefined) void this.#work(lane, found.name, found.client, found.job);
    }
  }

  /** The smallest text of the client that had the least read. */
  #choose(bytesMax: number): { name: string; client: Client; job: Job } | undefined {
    let best: { name: string; client: Client; job: Job } | undefined;
    for (const [name, client] of this.#clients) {
      if (best !== undefined && client.readBytes >= best.client.readBytes) continue;
      let smallest: Job | undefined;
      for (const job of client.jobs) {
        if (job.bytes <= bytesMax && (smallest === undefined || job.bytes < smallest.bytes)) smallest = job;
      }
      if (smallest !== undefined) best = { name, client, job: smallest };
    }
    return best;
  }

  async #work(lane: Lane, name: string, client: Client, job: Job): Promise<void> {
    lane.isBusy = true;
    client.running++;
    this.#remove(name, job);
    job.started?.();
    try {
      job.resolve(await lane.thread.run(job.task, job.signal));
    } catch (error) {
      job.reject(error);
    } finally {
      lane.isBusy = false;
      client.running--;
      client.readBytes += job.bytes;
      this.#forget(name, client);
      this.#next();
    }
  }

  /** Returns whether the job was still waiting. */
  #remove(name: string, job: Job): boolean {
    const client = this.#clients.get(name);
    const at = client?.jobs.indexOf(job) ?? -1;
    if (client === undefined || at < 0) return false;
    client.jobs.splice(at, 1);
    this.#waiting--;
    this.#forget(name, client);
    return true;
  }

  #forget(name: string, client: Client): void {
    if (client.jobs.length === 0 && client.running === 0) this.#clients.delete(name);
  }
}

interface Lane {
  readonly thread: YamlThread;
  readonly bytesMax: number;
  isBusy: boolean;
}

interface Client {
  readonly jobs: Job[];
  running: number;
  readBytes: number;
}

interface Job {
  readonly task: YamlTask;
  readonly bytes: number;
  readonly signal: AbortSignal | undefined;
  resolve(outcome: YamlOutcome): void;
  reject(error: unknown): void;
  /** Called when it leaves the queue. */
  started?(): void;
}

function bytesOf(task: YamlTask): number {
  return (task.kind === "parse" ? task.yaml : task.json).length;
}
