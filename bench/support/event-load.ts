import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { EventJob, EventReport, Received } from "../load/event-worker.js";

const patienceMs = 60_000;

/** Open watches in their own process. */
export class EventLoad {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async open(job: EventJob): Promise<EventLoad> {
    // Relative to the benchmark, into which this file is bundled.
    const load = new EventLoad(fork(fileURLToPath(new URL("./load/event-worker.mjs", import.meta.url))));
    const opened = load.#next("open");
    load.#child.send(job);
    await opened;
    return load;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves when every watch has received the turns `from`, `from` - 1 and so on. */
  reached(from: number, count: number): Promise<void> {
    const child = this.#child;
    const missing = new Set(Array.from({ length: count }, (_, index) => from - index));
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error("the watchers' process ended"));
      const timer = setTimeout(() => reject(new Error("a watcher got no event for 60 s")), patienceMs);
      const listen = (received: EventReport): void => {
        if (received.kind !== "reached") return;
        missing.delete(received.turn);
        if (missing.size > 0) return;
        clearTimeout(timer);
        child.off("message", listen);
        child.off("exit", ended);
        resolve();
      };
      child.on("message", listen);
      child.once("exit", ended);
    });
  }

  /** What was received since the last call. */
  async take(): Promise<Received> {
    const answer = this.#next("received");
    this.#child.send("take");
    return await answer;
  }

  close(): void {
    this.#child.kill();
  }

  #next<Kind extends EventReport["kind"]>(
    kind: Kind,
  ): Promise<Extract<EventReport, { readonly kind: Kind }>> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error("the watchers' process ended"));
      const listen = (received: EventReport): void => {
        if (received.kind !== kind) return;
        child.off("message", listen);
        child.off("exit", ended);
        resolve(received as Extract<EventReport, { readonly kind: Kind }>); // just compared
      };
      child.on("message", listen);
      child.once("exit", ended);
    });
  }
}
