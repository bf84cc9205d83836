import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { systemThread } from "../../time/processor-time.js";
import { type FromYamlThread, runYamlTask, type YamlTask } from "./yaml-task.js";

/** A lower priority than the event loop's, which serves others meanwhile, when there are not enough processors for both. */
const nicer = 5;

// On Linux this is the thread's priority, elsewhere it would be the whole process's.
if (process.platform === "linux") {
  try {
    setPriority(Math.min(getPriority() + nicer, 19));
  } catch {
    // A sandbox may forbid it; the thread works without it.
  }
}

const post = (message: FromYamlThread, moved: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, [...moved]);

post({ kind: "started", thread: systemThread() });

/** The entry point of the thread: receives one task at a time and posts its outcome. */
parentPort?.on("message", async (task: YamlTask) => {
  const outcome = await runYamlTask(task);
  const bytes =
    outcome.kind === "printed" ? outcome.yaml : outcome.kind === "parsed" ? outcome.json : undefined;
  post(outcome, bytes === undefined ? [] : [bytes.buffer]);
});
