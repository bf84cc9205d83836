import { expect, test } from "vitest";
import { inTime } from "./in-time.js";

const never = new Promise<void>(() => undefined);

test.each<[string, Promise<unknown>, number, boolean]>([
  ["what has ended", Promise.resolve("done"), 0, true],
  ["what ends soon", new Promise((resolve) => setImmediate(resolve)), 60_000, true],
  ["what never ends", never, 1, false],
])("%s is in time or not", async (_what, work, withinMs, isInTime) => {
  expect(await inTime(work, withinMs)).toBe(isInTime);
});

test("a failure is passed on", async () => {
  await expect(inTime(Promise.reject(new Error("broken")), 60_000)).rejects.toThrow("broken");
});

test("a failure that comes too late is ignored", async () => {
  let fail: (reason: Error) => void = () => undefined;
  const work = new Promise((_, reject) => {
    fail = reject;
  });
  expect(await inTime(work, 1)).toBe(false);
  fail(new Error("late"));
  await new Promise((resolve) => setImmediate(resolve));
});
