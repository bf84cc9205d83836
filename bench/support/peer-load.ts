import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Target } from "../load/http1-client.js";
import type { PeerConnections, PeerResult, PeerWork } from "../load/peer-worker.js";

/** A load in its own process, with open connections. */
export class Load {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "exit");
  }

  static async open(target: Target, protocol: "http1" | "http2", connections: number): Promise<Load> {
    // Relative to the benchmark, into which this file is bundled.
    const load = new Load(fork(fileURLToPath(new URL("./load/peer-worker.mjs", import.meta.url))));
    await load.#ask({ kind: "connect", target, protocol, connections });
    return load;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async run(work: PeerWork): Promise<number> {
    const { seconds, failures } = await this.#ask(work);
    if (failures > 0)
      throw new Error(`${failures} of ${work.count} requests failed: ${work.method} ${work.path}`);
    return seconds;
  }

  close(): void {
    this.#child.kill();
  }

  async #ask(message: PeerConnections | PeerWork): Promise<PeerResult> {
    const answered = new AbortController();
    const answer = once(this.#child, "message", { signal: answered.signal });
    this.#child.send(message);
    const first = await Promise.race([answer, this.#ended.then(() => undefined)]);
    answered.abort();
    if (first === undefined) throw new Error("the load ended");
    return first[0];
  }
}
