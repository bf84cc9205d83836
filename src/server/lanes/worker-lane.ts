import { MessageChannel, Worker } from "node:worker_threads";
import { asError } from "../../apimachinery/errors/as-error.js";
import { isOutOfMemory } from "../../apimachinery/errors/out-of-memory.js";
import type { LaneEnd, LaneThread } from "../../serving/lanes/lane.js";
import type { FromLane, ToLane } from "../../serving/lanes/lane-messages.js";
import type { Stores } from "../stores/open-store.js";
import { serveStores } from "../stores/store-ports.js";
import type { LaneSettings } from "./lane-settings.js";

export interface WorkerLaneParts {
  /** `bin/lane-worker.mjs`. */
  readonly script: URL;
  readonly settings: Pick<LaneSettings, "options" | "given" | "build" | "logLevel" | "time">;
  readonly stores: Pick<Stores, "kv" | "overrides" | "expect" | "encryption">;
  readonly memoryMb: number;
}

/**
 * V8 terminates the process, not the thread, if a large allocation exceeds a thread's heap limit. So `Lanes` ends a lane at `memoryMb`,
 * and V8's limit is this much higher: only very fast growth reaches it.
 */
const reserveMb = 1024;

/** Starts a thread that works on the stores of this one. It does not keep the process alive. */
export function openWorkerLane({ script, settings, stores, memoryMb }: WorkerLaneParts): LaneThread {
  const written = new Set<number>();
  const served = serveStores(stores, {
    writes: (request) => written.add(request),
    announced: (write, value) => stores.expect(write, value),
  });
  const { port1: requests, port2: theirs } = new MessageChannel();
  requests.unref();
  const { encryption } = stores;
  const { ports } = served;
  const workerData: LaneSettings = { ...settings, encryption, requests: theirs, stores: ports };
  const worker = new Worker(script, {
    name: "lane",
    workerData,
    transferList: [theirs, ports.main, ...ports.overrides.values()],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb + reserveMb },
  });
  worker.unref();
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
    served.stop();
    requests.close();
    void worker.terminate();
  };
  const listeners: ((end: LaneEnd) => void)[] = [];
  const ended = (why: LaneEnd): void => {
    if (isEnded) return;
    isEnded = true;
    for (const listener of listeners) listener(why);
  };
  worker.on("error", (error: unknown) =>
    ended(isOutOfMemory(error) ? { kind: "outOfMemory" } : { kind: "failed", error: asError(error) }),
  );
  worker.on("exit", (code) =>
    ended({ kind: "failed", error: new Error(`a lane ended by itself with code ${code}`) }),
  );
  return {
    post(message: ToLane) {
      if (!isEnded) requests.postMessage(message);
    },
    onMessage(listener) {
      requests.on("message", (message) => {
        if (!isEnded) listener(message as FromLane); // the worker is a lane, so it posts these messages
      });
    },
    onEnd: (listener) => void listeners.push(listener),
    hasWritten: (request) => written.has(request),
    forget: (request) => void written.delete(request),
    end,
  };
}
