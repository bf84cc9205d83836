import { expect, test } from "vitest";
import { LoadShedder } from "./load-shedder.js";

/** A clock whose timers come `lagMs` late. */
function setUp() {
  const state = { now: 0, lagMs: 0, busy: true, timer: undefined as (() => void) | undefined };
  const applied: number[] = [];
  const shedder = new LoadShedder({
    clock: {
      now: () => state.now,
      after: (ms, callback) => {
        state.timer = () => {
          state.now += ms + state.lagMs;
          callback();
        };
        return () => undefined;
      },
    },
    apply: (pressure) => applied.push(pressure),
    isBusy: () => state.busy,
  });
  const ticks = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const { timer } = state;
      state.timer = undefined;
      timer?.();
    }
  };
  return { state, applied, shedder, ticks };
}

test("an event loop without lag sheds nothing, and is not timed when nothing runs", () => {
  const { state, applied, shedder, ticks } = setUp();
  expect(state.timer).toBeUndefined();
  shedder.watch();
  ticks(50);
  expect(applied).toEqual([]);
  state.busy = false;
  ticks(1);
  expect(state.timer).toBeUndefined();
  shedder.watch();
  expect(state.timer).toBeDefined();
});

test("a lag is answered at once, more while it lasts, and forgotten slowly", () => {
  const { state, applied, shedder, ticks } = setUp();
  shedder.watch();
  state.lagMs = 200;
  ticks(5);
  expect(applied).toEqual([0.25, 0.5, 0.75, 0.98]);
  state.lagMs = 40;
  ticks(20);
  expect(applied.at(-1)).toBe(0.98);
  state.lagMs = 0;
  state.busy = false;
  ticks(5 * 10);
  expect(applied.at(-1)).toBeCloseTo(0.48);
  ticks(5 * 20);
  expect(applied.at(-1)).toBe(0);
  expect(state.timer).toBeUndefined();
});
