import { parentPort } from "node:worker_threads";
import { runYamlTask, type YamlTask } from "./yaml-task.js";

/** The entry point of the thread: receives one task at a time and posts its outcome. */
parentPort?.on("message", async (task: YamlTask) => {
  const outcome = await runYamlTask(task);
  const bytes =
    outcome.kind === "printed" ? outcome.yaml : outcome.kind === "parsed" ? outcome.json : undefined;
  parentPort?.postMessage(outcome, bytes === undefined ? [] : [bytes.buffer]);
});
