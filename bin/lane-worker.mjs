import { workerData } from "node:worker_threads";
import { loadProgram } from "./program.mjs";

await loadProgram().run().runLane(workerData);
