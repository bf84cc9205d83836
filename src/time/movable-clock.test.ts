import { afterEach, expect, test } from "vitest";
import { followedClock } from "./followed-clock.js";
import { MovableClock } from "./movable-clock.js";

const startMs = Date.UTC(2026, 0, 1);
const clocks: MovableClock[] = [];

function frozen(): MovableClock {
  const clock = new MovableClock(startMs);
  clocks.push(clock);
  clock.freeze();
  return clock;
}

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.close();
});

test("calls everything that becomes due on the way, each at its time and in the order of time", async () => {
  const clock = frozen();
  const began = clock.now();
  const seen: string[] = [];
  const note = (what: string) => () => void seen.push(`${what} at ${clock.now() - began}`);
  clock.schedule(3000, note("third"));
  clock.schedule(1000, () => {
    note("first")();
    clock.schedule(1000, note("second"));
  });
  clock.schedule(9000, note("later"));
  const cancel = clock.schedule(500, note("cancelled"));
  cancel();
  await clock.advance(5000);
  expect(seen).toEqual(["first at 1000", "second at 2000", "third at 3000"]);
  expect(clock.now() - began).toBe(5000);
});

test("waits for work before the time advances", async () => {
  const clock = frozen();
  const began = clock.now();
  const seen: number[] = [];
  clock.schedule(1000, () => {
    const work = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      clock.schedule(1000, () => void seen.push(clock.now() - began));
    };
    clock.track(work());
  });
  await clock.advance(10_000);
  expect(seen).toEqual([2000]);
});

test("makes up for missed repetitions once, ahead of what is due later", async () => {
  const clock = frozen();
  const began = clock.now();
  const seen: string[] = [];
  const cancel = clock.every(10_000, () => void seen.push(`repeated at ${clock.now() - began}`));
  clock.schedule(35_000, () => void seen.push(`once at ${clock.now() - began}`));
  await clock.advance(100_000);
  expect(seen).toEqual(["repeated at 35000", "once at 35000", "repeated at 100000"]);
  await clock.advance(10_000);
  expect(seen.at(-1)).toBe("repeated at 110000");
  cancel();
  await clock.advance(100_000);
  expect(seen).toHaveLength(4);
});

test("stands while it is frozen and goes on from there", async () => {
  const clock = frozen();
  const at = clock.now();
  const other = followedClock(clock.memory);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([clock.now(), other.now()]).toEqual([at, at]);
  await clock.advance(60_000);
  expect([clock.now(), other.now()]).toEqual([at + 60_000, at + 60_000]);
  clock.resume();
  await expect.poll(() => other.now()).toBeGreaterThan(at + 60_000);
});

test("calls what becomes due while it runs, and what it was moved past", async () => {
  const clock = new MovableClock();
  clocks.push(clock);
  const seen: string[] = [];
  clock.schedule(20, () => void seen.push("soon"));
  clock.schedule(3_600_000, () => void seen.push("in an hour"));
  await expect.poll(() => seen).toEqual(["soon"]);
  await clock.advance(3_600_000);
  expect(seen).toEqual(["soon", "in an hour"]);
  expect(clock.now() - Date.now()).toBeGreaterThan(3_500_000);
});

test("moves one after the other, and never back", async () => {
  const clock = frozen();
  const began = clock.now();
  await Promise.all([clock.advance(1000), clock.advance(2000)]);
  expect(clock.now() - began).toBe(3000);
  for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => clock.advance(wrong)).toThrow(RangeError);
  }
});
