import { readFileSync, rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { ServerProcess } from "../../test/support/server-process.js";

export interface ServerState {
  /** The longest time for which the event loop was held since the state was last read. */
  readonly longestTurnMs: number;
  /** The same without the slowest hundredth. */
  readonly usualTurnMs: number;
  /** Heap and buffers in use, after a collection of garbage. */
  readonly usedBytes: number;
}

/** Looks into a server process, which has to be started with the environment of the probe. */
export class ServerProbe {
  readonly env: Readonly<Record<string, string>>;
  readonly #file: string;

  /** `file` is where the server writes its answers. */
  constructor(file: string) {
    this.#file = file;
    const code = `
      import { monitorEventLoopDelay } from "node:perf_hooks";
      import { renameSync, writeFileSync } from "node:fs";
      import { setFlagsFromString } from "node:v8";
      import { runInNewContext } from "node:vm";
      setFlagsFromString("--expose-gc");
      const collect = runInNewContext("gc");
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      process.on("SIGUSR2", () => {
        const longestTurnMs = delay.max / 1e6;
        const usualTurnMs = delay.percentile(99) / 1e6;
        collect();
        const { heapUsed, external } = process.memoryUsage();
        const state = { longestTurnMs, usualTurnMs, usedBytes: heapUsed + external };
        writeFileSync(${JSON.stringify(`${file}.new`)}, JSON.stringify(state));
        renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
        // The collection has held the event loop, too.
        setTimeout(() => delay.reset(), 20);
      });`;
    const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
    this.env = { NODE_OPTIONS: `--import=${url}` };
  }

  async read(server: ServerProcess): Promise<ServerState> {
    rmSync(this.#file, { force: true });
    process.kill(server.pid, "SIGUSR2");
    for (let attempt = 0; attempt < 500; attempt++) {
      await setTimeout(10);
      try {
        const state = JSON.parse(readFileSync(this.#file, "utf8")) as ServerState; // the probe wrote it
        await setTimeout(50);
        return state;
      } catch {
        // Not written yet.
      }
    }
    throw new Error("the server did not answer the probe");
  }
}
