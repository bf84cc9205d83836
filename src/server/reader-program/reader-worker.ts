import { workerData } from "node:worker_threads";
import type { ReaderSettings } from "../readers/reader-messages.js";
import { runReader } from "./reader-thread.js";

// `openReader` starts this thread with them.
await runReader(workerData as ReaderSettings);
