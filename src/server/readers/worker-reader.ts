import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { addToList } from "../../apimachinery/collections/groups.js";
import { asError } from "../../apimachinery/errors/as-error.js";
import type { Auditor } from "../../audit/auditor.js";
import type { ForwardedRequests } from "../../serving/readers/forwarded-requests.js";
import type { Logger } from "../../telemetry/logger.js";
import { systemClock } from "../../time/clock.js";
import { inTime } from "../../time/in-time.js";
import { writeLogEntry } from "../logging/thread-log.js";
import type { Stores } from "../stores/open-store.js";
import { type ServedStores, serveStores } from "../stores/store-ports.js";
import { HandedDescriptors } from "./handed-descriptors.js";
import { heartbeatMs, watchHeartbeat } from "./heartbeat.js";
import type { Reader, ReaderCounts, ReaderEnd } from "./reader.js";
import type { FromReader, ReaderSettings, ToReader } from "./reader-messages.js";
import { ReaderState } from "./reader-state.js";

export interface WorkerReaderParts {
  /** `bin/reader-worker.mjs`. */
  readonly script: URL;
  readonly settings: Omit<ReaderSettings, "control" | "state" | "stores">;
  readonly duplicate: (descriptor: number) => number;
  readonly stores: Pick<Stores, "kv" | "overrides">;
  /** Answers what the reader does not. */
  readonly forwarded: ForwardedRequests;
  /** Undefined when nothing is recorded. */
  readonly auditor: Auditor | undefined;
  readonly log: Logger;
}

type MessageOf<Kind extends FromReader["kind"]> = Extract<FromReader, { kind: Kind }>;

const stuckMs = 5_000;
/** After this many checks, a reader whose event loop is blocked gets no new connections; after more, it is terminated. */
const doubtfulLooks = 2;
const silentLooksMax = 10;
/** A busy machine may take long to load the program. */
const startLooksMax = 60;

/** A worker that serves over the stores of this thread. */
export class WorkerReader implements Reader {
  readonly ready: Promise<void>;
  readonly ended: Promise<ReaderEnd | undefined>;
  readonly #parts: WorkerReaderParts;
  readonly #state = new ReaderState();
  readonly #handed = new HandedDescriptors(this.#state);
  readonly #stores: ServedStores;
  readonly #control: MessagePort;
  readonly #worker: Worker;
  /** Called with the next message of a kind. */
  readonly #waiting = new Map<FromReader["kind"], ((message: FromReader) => void)[]>();
  #isReady = false;
  #isClosing = false;
  #isDoubtful = false;
  #silence: Error | undefined;

  /** Starts the thread. */
  constructor(parts: WorkerReaderParts) {
    const { script, settings, stores } = parts;
    const { port1: control, port2: theirs } = new MessageChannel();
    this.#parts = parts;
    this.#control = control;
    this.#stores = serveStores(stores);
    const { ports } = this.#stores;
    const workerData: ReaderSettings = {
      ...settings,
      state: this.#state.memory,
      control: theirs,
      stores: ports,
    };
    this.#worker = new Worker(script, {
      name: "reader",
      workerData,
      transferList: [theirs, ports.main, ...ports.overrides.values()],
    });
    control.on("message", (message) => this.#received(message as FromReader)); // only the reader writes to the port
    this.ended = this.#end();
    const early = this.ended.then((end) => Promise.reject(end?.error ?? new Error("the thread was closed")));
    this.ready = Promise.race([this.#next("ready"), early]).then(() => undefined);
    // When this thread replaces another, nothing awaits its start, and a failure must not be an unhandled rejection.
    this.ready.catch(() => undefined);
  }

  get connections(): number {
    const takesMore = this.#isReady && !this.#isClosing && !this.#isDoubtful;
    return takesMore ? this.#state.connections : Number.POSITIVE_INFINITY;
  }

  handOver(descriptor: number): void {
    const own = this.#parts.duplicate(descriptor);
    this.#handed.add(own);
    this.#state.handedOver();
    this.#post({ kind: "accepted", descriptor: own });
  }

  tell(): Promise<ReaderCounts> {
    return this.#ask({ kind: "tell" }, "told");
  }

  async drain(): Promise<void> {
    if (!this.#isReady) return;
    await Promise.race([this.#ask({ kind: "drain" }, "drained"), this.ended]);
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    if (this.#isReady) {
      const closed = this.#ask({ kind: "close", graceMs }, "closed");
      // The reader aborts open connections after the grace period; only a blocked thread takes longer.
      await inTime(Promise.race([closed, this.ended]), graceMs + stuckMs);
    }
    await this.#worker.terminate();
    await this.ended;
  }

  #post(message: ToReader): void {
    this.#control.postMessage(message);
  }

  /** Resolves with the answer; never when the thread has ended. */
  #ask<Kind extends FromReader["kind"]>(message: ToReader, answer: Kind): Promise<MessageOf<Kind>> {
    const answered = this.#next(answer);
    this.#post(message);
    return answered;
  }

  /** Resolves with the next message of the kind. */
  #next<Kind extends FromReader["kind"]>(kind: Kind): Promise<MessageOf<Kind>> {
    return new Promise((resolve) => {
      // The map calls it with messages of this kind only.
      addToList(this.#waiting, kind, (message) => resolve(message as MessageOf<Kind>));
    });
  }

  #received(message: FromReader): void {
    const { forwarded, log } = this.#parts;
    switch (message.kind) {
      case "log":
        writeLogEntry(log, message.entry);
        break;
      case "connection":
        forwarded.connect(message.port, message.client);
        break;
      case "audit":
        void this.#record(message);
        break;
      default:
        if (message.kind === "ready") this.#isReady = true;
        this.#waiting.get(message.kind)?.shift()?.(message);
    }
  }

  async #record({ id, event }: MessageOf<"audit">): Promise<void> {
    const kept = (await this.#parts.auditor?.process(event)) ?? true;
    if (id !== undefined) this.#post({ kind: "recorded", id, kept });
  }

  /** Terminates a thread whose event loop is blocked. Resolves when the thread has ended. */
  async #end(): Promise<ReaderEnd | undefined> {
    let failure: Error | undefined;
    this.#worker.on("error", (error: unknown) => {
      failure = asError(error);
    });
    const stopLooking = watchHeartbeat(this.#state, systemClock, (looks) => this.#silent(looks));
    await new Promise((resolve) => this.#worker.on("exit", resolve));
    stopLooking();
    const reason = !this.#isReady ? "start" : this.#silence !== undefined ? "silence" : "failure";
    this.#isReady = false;
    this.#control.close();
    this.#stores.stop();
    this.#handed.close();
    const unasked = this.#isClosing ? undefined : new Error("the thread ended by itself");
    const error = this.#silence ?? failure ?? unasked;
    return error && { reason, error };
  }

  #silent(looks: number): void {
    this.#isDoubtful = looks >= doubtfulLooks;
    if (this.#silence !== undefined || looks < (this.#isReady ? silentLooksMax : startLooksMax)) return;
    this.#silence = new Error(`its event loop has been stuck for ${(looks * heartbeatMs) / 1000} s`);
    void this.#worker.terminate();
  }
}
