import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { heartbeatMs, watchHeartbeat } from "./heartbeat.js";
import { ReaderState } from "./reader-state.js";

test("the time that a thread has been blocked is counted from its last turn", async () => {
  const state = new ReaderState();
  const clock = new ManualClock();
  const told: number[] = [];
  const stop = watchHeartbeat(state, clock, (silentLooks) => told.push(silentLooks));
  for (const turns of [true, true, false, false, false, true, false]) {
    if (turns) new ReaderState(state.memory).beat();
    await clock.advance(heartbeatMs);
  }
  expect(told).toEqual([0, 0, 1, 2, 3, 0, 1]);
  stop();
  await clock.advance(heartbeatMs);
  expect(told).toHaveLength(7);
});
