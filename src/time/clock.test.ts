import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "./clock.js";

const dayMs = 24 * 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a delay longer than a timer of Node.js calls once, at its end", () => {
  const callback = vi.fn();
  systemClock.schedule(60 * dayMs, callback);
  vi.advanceTimersByTime(60 * dayMs - 1);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(callback).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60 * dayMs);
  expect(callback).toHaveBeenCalledOnce();
});

test.each([0, 20, 40, 59])("a long delay can be cancelled after %i days", (days) => {
  const callback = vi.fn();
  const cancel = systemClock.schedule(60 * dayMs, callback);
  vi.advanceTimersByTime(days * dayMs);
  cancel();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60 * dayMs);
  expect(callback).not.toHaveBeenCalled();
});
