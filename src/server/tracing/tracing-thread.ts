import { Worker } from "node:worker_threads";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { SpanOutlet } from "./span-outlet.js";
import type { SpanDestination } from "./span-sender.js";

/** What the thread starts with. */
export interface SenderWork {
  readonly destination: SpanDestination;
  /** The thread counts here the batches that it has taken. */
  readonly taken: Int32Array;
}

/** Asks the thread to send what is waiting. */
export interface CloseRequest {
  readonly closeWithinMs: number;
}

/** Messages of the thread. */
export type SenderMessage = "closed" | { readonly failure: string };

/** Most characters of batches that the thread has not taken yet: it may get no processor, or many requests may be sampled. */
const waitingMax = 16 * 1024 * 1024;
const heapMb = 256;
const restartMs = 10_000;

/** A thread that encodes and sends spans, so that the serving event loop need not. It does not keep the process alive. */
export class TracingThread implements SpanOutlet {
  readonly #script: URL;
  readonly #destination: SpanDestination;
  readonly #onFailure: (reason: string) => void;
  readonly #taken = new Int32Array(new SharedArrayBuffer(4));
  /** Lengths of posted batches, from the first that was not taken yet. */
  readonly #posted: number[] = [];
  #takenSeen = 0;
  #waiting = 0;
  #dropped = 0;
  #worker: Worker | undefined;
  #mayStartAtMs = 0;

  /** `script` is `tracing-worker.ts` as JavaScript. */
  constructor(script: URL, destination: SpanDestination, onFailure: (reason: string) => void) {
    this.#script = script;
    this.#destination = destination;
    this.#onFailure = onFailure;
    this.#worker = this.#start();
  }

  send(batch: string): void {
    this.#forgetTaken();
    if (this.#worker === undefined && performance.now() >= this.#mayStartAtMs) this.#worker = this.#start();
    if (this.#worker === undefined || this.#waiting + batch.length > waitingMax) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0) this.#onFailure(`dropped ${this.#dropped} batches of spans`);
    this.#dropped = 0;
    this.#posted.push(batch.length);
    this.#waiting += batch.length;
    this.#worker.postMessage(batch);
  }

  async close(withinMs: number): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    this.#mayStartAtMs = Number.POSITIVE_INFINITY;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, withinMs).unref();
      worker.on("message", (message: SenderMessage) => message === "closed" && resolve());
      worker.once("exit", () => resolve());
      // Keeps the process alive until the thread has closed.
      worker.ref();
      const request: CloseRequest = { closeWithinMs: withinMs };
      worker.postMessage(request);
    });
    await worker.terminate();
  }

  #start(): Worker {
    const work: SenderWork = { destination: this.#destination, taken: this.#taken };
    const worker = new Worker(this.#script, {
      name: "tracing",
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    worker.on("message", (message: SenderMessage) => {
      if (message !== "closed") this.#onFailure(message.failure);
    });
    worker.on("error", (error: unknown) => {
      this.#onFailure(messageOf(error));
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#mayStartAtMs = performance.now() + restartMs;
      this.#posted.length = 0;
      this.#waiting = 0;
      this.#takenSeen = Atomics.load(this.#taken, 0);
    });
    worker.unref();
    return worker;
  }

  #forgetTaken(): void {
    const taken = Atomics.load(this.#taken, 0);
    // The counter wraps around.
    const more = (taken - this.#takenSeen) | 0;
    this.#takenSeen = taken;
    for (const length of this.#posted.splice(0, more)) this.#waiting -= length;
  }
}
