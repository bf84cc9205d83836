import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { loadProgram } from "./program.mjs";

/** When processors are short, the serving thread goes first. */
const niceness = 10;

// Only Linux applies it to the thread; elsewhere it would apply to the whole process.
if (process.platform === "linux") setPriority(niceness);
await loadProgram().run().runLane(workerData);
