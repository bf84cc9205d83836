import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { LaneSettings } from "../lanes/lane-settings.js";
import { runLane } from "./lane-thread.js";

/** Where processors are short, the serving thread goes first. */
const niceness = 10;

// Linux alone takes it for the thread; elsewhere it would be the whole process.
if (process.platform === "linux") setPriority(niceness);
// `openWorkerLane` starts this thread with them.
await runLane(workerData as LaneSettings);
