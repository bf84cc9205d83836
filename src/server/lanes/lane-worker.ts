import { workerData } from "node:worker_threads";
import type { LaneSettings } from "./lane-settings.js";
import { runLane } from "./lane-thread.js";

// `openWorkerLane` starts this thread with them.
await runLane(workerData as LaneSettings);
