import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Job, JobResult } from "./load-worker.js";

/** Runs the job in a separate process, so that it takes no processor time from the one that measures. */
export function runLoad(job: Job): Promise<JobResult> {
  // Relative to the benchmark, into which this file is bundled.
  const worker = fork(fileURLToPath(new URL("./load/load-worker.mjs", import.meta.url)));
  return new Promise((resolve, reject) => {
    worker.once("message", (result: JobResult) => resolve(result));
    worker.once("exit", (code) => {
      if (code !== 0) reject(new Error(`the load worker ended with ${code}`));
    });
    worker.send(job);
  });
}
