import type { LaneSettings } from "./server/lanes/lane-settings.js";
import type { ReaderSettings } from "./server/readers/reader-messages.js";

/**
 * Exports of the built script, which the commands, the library and the threads share, together with the code that V8 has compiled of it.
 */
export { replay, startApiServer } from "./index.js";
export { main } from "./main.js";

/** For a thread that `openWorkerLane` starts. */
export async function runLane(settings: LaneSettings): Promise<void> {
  const { runLane } = await import("./server/lane-program/lane-thread.js");
  await runLane(settings);
}

/** For a thread that `openReader` starts. */
export async function runReader(settings: ReaderSettings): Promise<void> {
  const { runReader } = await import("./server/reader-program/reader-thread.js");
  await runReader(settings);
}
