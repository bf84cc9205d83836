import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { runYamlTask, type YamlTask } from "./yaml-task.js";

/** Behind the event loop, which serves others meanwhile, where there are not enough processors for both. */
const nicer = 5;

// On Linux it is that of the thread, elsewhere it would be that of the whole process.
if (process.platform === "linux") {
  try {
    setPriority(Math.min(getPriority() + nicer, 19));
  } catch {
    // A sandbox may forbid it; the thread works as well.
  }
}

/** The entry point of the thread: receives one task at a time and posts its outcome. */
parentPort?.on("message", async (task: YamlTask) => {
  const outcome = await runYamlTask(task);
  const bytes =
    outcome.kind === "printed" ? outcome.yaml : outcome.kind === "parsed" ? outcome.json : undefined;
  parentPort?.postMessage(outcome, bytes === undefined ? [] : [bytes.buffer]);
});
