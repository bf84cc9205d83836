import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeoutQueue } from "./timeout-queue.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("each entry expires after the delay, in order, unless it was cancelled", () => {
  const queue = new TimeoutQueue(100);
  const expired: string[] = [];
  queue.add(() => expired.push("a"));
  vi.advanceTimersByTime(60);
  const cancel = queue.add(() => expired.push("b"));
  queue.add(() => expired.push("c"));
  vi.advanceTimersByTime(39);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(["a"]);
  cancel();
  vi.advanceTimersByTime(60);
  expect(expired).toEqual(["a", "c"]);
  queue.add(() => expired.push("d"));
  vi.advanceTimersByTime(99);
  expect(expired).toEqual(["a", "c"]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(["a", "c", "d"]);
});

test("one timer serves all entries", () => {
  const queue = new TimeoutQueue(100);
  for (let i = 0; i < 50; i++) queue.add(() => {})();
  expect(vi.getTimerCount()).toBe(1);
});
