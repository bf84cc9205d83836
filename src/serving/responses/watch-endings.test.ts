import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endWatches } from "./watch-endings.js";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function open(count: number): Set<() => void> {
  const watches = new Set<() => void>();
  for (let index = 0; index < count; index++) {
    const end = (): void => void watches.delete(end);
    watches.add(end);
  }
  return watches;
}

test("without a grace period all end at once", () => {
  const watches = open(1000);
  endWatches(watches, 0);
  expect(watches.size).toBe(0);
});

test("a few end at two hundred a second", () => {
  const watches = open(1000);
  endWatches(watches, 60_000);
  vi.advanceTimersByTime(1000);
  expect(watches.size).toBe(800);
  vi.advanceTimersByTime(4000);
  expect(watches.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("many end within the grace period, and others go on until their turn", () => {
  const watches = open(10_000);
  endWatches(watches, 10_000);
  vi.advanceTimersByTime(5000);
  expect(watches.size).toBe(5000);
  vi.advanceTimersByTime(5000);
  expect(watches.size).toBe(0);
});
