import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { LaneSettings } from "../lanes/lane-settings.js";
import { runLane } from "./lane-thread.js";

/** When processors are short, the serving thread goes first. */
const niceness = 10;

// Only Linux applies it to the thread; elsewhere it would apply to the whole process.
if (process.platform === "linux") setPriority(niceness);
// `openWorkerLane` starts this thread with them.
await runLane(workerData as LaneSettings);
