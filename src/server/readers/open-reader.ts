import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { asError } from "../../apimachinery/errors/as-error.js";
import type { Auditor } from "../../audit/auditor.js";
import type { ForwardedRequests } from "../../serving/readers/forwarded-requests.js";
import type { KeyValueStore } from "../../storage/kv.js";
import { serveStore } from "../../storage/thread-store/serve-store.js";
import type { Logger } from "../../telemetry/logger.js";
import { systemClock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { passOn } from "../logging/thread-log.js";
import type { Stores } from "../stores/open-store.js";
import { HandedDescriptors } from "./handed-descriptors.js";
import { heartbeatMs, watchHeartbeat } from "./heartbeat.js";
import type { FromReader, ReaderSettings, ToReader } from "./reader-messages.js";
import { ReaderState } from "./reader-state.js";

export interface OpenReaderParts {
  /** `bin/reader-worker.mjs`. */
  readonly script: URL;
  readonly settings: Omit<ReaderSettings, "control" | "state" | "stores">;
  /** Duplicates a descriptor. */
  readonly duplicate: (descriptor: number) => number;
  readonly stores: Pick<Stores, "kv" | "overrides">;
  /** Answers what the reader does not. */
  readonly forwarded: ForwardedRequests;
  /** Undefined when nothing is recorded. */
  readonly auditor: Auditor | undefined;
  readonly log: Logger;
}

const stuckMs = 5_000;
/** A reader whose event loop is stuck gets no new connections after this many checks, and is ended after more. */
const doubtfulLooks = 2;
const silentLooksMax = 10;
/** A busy machine may take long to load the program. */
const startLooksMax = 60;

/** Why a thread ended without being closed. */
export interface ReaderEnd {
  /** `silence`: its event loop stopped; `start`: it never served. */
  readonly reason: "failure" | "silence" | "start";
  readonly error: Error;
}

/** What a reader has counted. */
export type ReaderCounts = Pick<Extract<FromReader, { kind: "told" }>, "changes" | "gauges">;

/** A thread that serves. */
export interface Reader {
  /** Resolves when it serves; rejects when it ends before that. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended, with the reason unless it was closed. */
  readonly ended: Promise<ReaderEnd | undefined>;
  /** Connections that it was given and that have not ended; infinite while it does not serve, or its event loop is stuck. */
  readonly connections: number;
  /** Has it serve a connection that this thread has accepted. The caller keeps the descriptor. */
  handOver(descriptor: number): void;
  /** What was counted since the last call. Never resolves when the thread has ended. */
  tell(): Promise<ReaderCounts>;
  /** Resolves when it has answered earlier requests, at the latest after the time that a drain may take. */
  drain(): Promise<void>;
  close(graceMs: number): Promise<void>;
}

/** Starts a thread that serves over the stores of this one. */
export function openReader(parts: OpenReaderParts): Reader {
  const { script, settings, stores, duplicate, forwarded, auditor, log } = parts;
  const ports: MessagePort[] = [];
  const portTo = (store: KeyValueStore): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    serveStore(store, port1);
    ports.push(port1);
    return port2;
  };
  const main = portTo(stores.kv);
  const overrides = new Map([...stores.overrides].map(([servers, store]) => [servers, portTo(store)]));
  const { port1: control, port2: theirs } = new MessageChannel();
  ports.push(control);
  const state = new ReaderState();
  const handed = new HandedDescriptors(state);
  const workerData: ReaderSettings = {
    ...settings,
    state: state.memory,
    control: theirs,
    stores: { main, overrides },
  };
  const worker = new Worker(script, {
    name: "reader",
    workerData,
    transferList: [theirs, main, ...overrides.values()],
  });
  const post = (message: ToReader): void => control.postMessage(message);

  const answers = new Map<FromReader["kind"], ((message: FromReader) => void)[]>();
  /** Resolves with the next message of the kind. */
  const next = <Kind extends FromReader["kind"]>(kind: Kind) =>
    new Promise<Extract<FromReader, { kind: Kind }>>((resolve) => {
      const waiting = answers.get(kind) ?? [];
      // The message is of the kind that it is kept under.
      waiting.push((message) => resolve(message as Extract<FromReader, { kind: Kind }>));
      answers.set(kind, waiting);
    });
  control.on("message", (received) => {
    const message = received as FromReader; // only the reader writes to the port
    switch (message.kind) {
      case "log":
        passOn(log, message.entry);
        break;
      case "connection":
        forwarded.connect(message.port, message.client);
        break;
      case "audit":
        void record(auditor, message, post);
        break;
      default:
        answers.get(message.kind)?.shift()?.(message);
    }
  });

  let isReady = false;
  let isClosing = false;
  let isDoubtful = false;
  let failure: Error | undefined;
  let silence: Error | undefined;
  const stopLooking = watchHeartbeat(state, systemClock, (silentLooks) => {
    isDoubtful = silentLooks >= doubtfulLooks;
    if (silence !== undefined || silentLooks < (isReady ? silentLooksMax : startLooksMax)) return;
    silence = new Error(`its event loop has been stuck for ${(silentLooks * heartbeatMs) / 1000} s`);
    void worker.terminate();
  });
  const ended = new Promise<ReaderEnd | undefined>((resolve) => {
    worker.on("error", (error: unknown) => {
      failure = asError(error);
    });
    worker.on("exit", () => {
      const reason = !isReady ? "start" : silence !== undefined ? "silence" : "failure";
      const error = silence ?? failure ?? (isClosing ? undefined : new Error("the thread ended by itself"));
      isReady = false;
      stopLooking();
      for (const port of ports) port.close();
      handed.close();
      resolve(error && { reason, error });
    });
  });
  const early = ended.then((end) => Promise.reject(end?.error ?? new Error("the thread was closed")));
  const turnsReady = next("ready").then(() => {
    isReady = true;
  });
  const ready = Promise.race([turnsReady, early]);
  // Nobody awaits a thread that replaces another.
  ready.catch(() => undefined);
  return {
    ready,
    ended,
    get connections() {
      return isReady && !isClosing && !isDoubtful ? state.connections : Number.POSITIVE_INFINITY;
    },
    handOver(descriptor) {
      const own = duplicate(descriptor);
      handed.add(own);
      state.handedOver();
      post({ kind: "accepted", descriptor: own });
    },
    tell() {
      const told = next("told");
      post({ kind: "tell" });
      return told;
    },
    async drain() {
      if (!isReady) return;
      const drained = next("drained");
      post({ kind: "drain" });
      await Promise.race([drained, ended]);
    },
    async close(graceMs) {
      isClosing = true;
      if (isReady) {
        const closed = next("closed");
        post({ kind: "close", graceMs });
        const late = new AbortController();
        // The reader cuts what is open after the time; only a stuck thread takes longer.
        await Promise.race([closed, ended, sleep(systemClock, graceMs + stuckMs, late.signal)]);
        late.abort();
      }
      await worker.terminate();
      await ended;
    },
  };
}

async function record(
  auditor: Auditor | undefined,
  { id, event }: Extract<FromReader, { kind: "audit" }>,
  post: (message: ToReader) => void,
): Promise<void> {
  const kept = (await auditor?.process(event)) ?? true;
  if (id !== undefined) post({ kind: "recorded", id, kept });
}
