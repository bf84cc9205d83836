import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeoutQueue, timed } from "./timeout-queue.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("each entry expires after the delay, in order, unless it was cancelled", () => {
  const queue = new TimeoutQueue(100);
  const expired: string[] = [];
  queue.add(timed(() => expired.push("a")));
  vi.advanceTimersByTime(60);
  const removed = timed(() => expired.push("b"));
  queue.add(removed);
  queue.add(timed(() => expired.push("c")));
  vi.advanceTimersByTime(39);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(["a"]);
  queue.remove(removed);
  vi.advanceTimersByTime(60);
  expect(expired).toEqual(["a", "c"]);
  queue.add(timed(() => expired.push("d")));
  vi.advanceTimersByTime(99);
  expect(expired).toEqual(["a", "c"]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(["a", "c", "d"]);
});

test("one timer serves all entries", () => {
  const queue = new TimeoutQueue(100);
  for (let i = 0; i < 50; i++) {
    const entry = timed(() => {});
    queue.add(entry);
    queue.remove(entry);
  }
  expect(vi.getTimerCount()).toBe(1);
});

test("a delay that is too long for a timer does not make the queue look at once", () => {
  const dayMs = 24 * 3_600_000;
  const queue = new TimeoutQueue(100 * dayMs);
  const expire = vi.fn();
  queue.add(timed(expire));
  const began = Date.now();
  vi.advanceTimersToNextTimer();
  expect(Date.now() - began).toBeGreaterThan(20 * dayMs);
  expect(expire).not.toHaveBeenCalled();
});
