import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { ReaderState } from "./reader-state.js";
import { beatMs, lookAfter } from "./silence.js";

test("looks that find a thread standing still are counted from its last turn", async () => {
  const state = new ReaderState();
  const clock = new ManualClock();
  const told: number[] = [];
  const stop = lookAfter(state, clock, (silentLooks) => told.push(silentLooks));
  for (const turns of [true, true, false, false, false, true, false]) {
    if (turns) new ReaderState(state.memory).beat();
    await clock.advance(beatMs);
  }
  expect(told).toEqual([0, 0, 1, 2, 3, 0, 1]);
  stop();
  await clock.advance(beatMs);
  expect(told).toHaveLength(7);
});
