import { parentPort } from "node:worker_threads";
import { runYamlTask, type YamlTask } from "./yaml-task.js";

/** The entry of the thread: a task comes in, its outcome goes out, one at a time. */
parentPort?.on("message", async (task: YamlTask) => {
  const outcome = await runYamlTask(task);
  parentPort?.postMessage(outcome, outcome.kind === "printed" ? [outcome.yaml.buffer] : []);
});
