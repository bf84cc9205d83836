import { parentPort } from "node:worker_threads";
import { systemThread } from "../../time/processor-time.js";
import { lowerThreadPriority } from "../../time/thread-priority.js";
import { type FromYamlThread, runYamlTask, type YamlTask } from "./yaml-task.js";

lowerThreadPriority();

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
