import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IdleEviction } from "./idle-eviction.js";

const forgotten: string[] = [];
let recent: IdleEviction<string>;

beforeEach(() => {
  vi.useFakeTimers();
  forgotten.length = 0;
  recent = new IdleEviction<string>(1000, (item) => forgotten.push(item));
});

afterEach(() => {
  vi.useRealTimers();
});

test("entries unused for two periods are dropped, once; used ones are kept", () => {
  recent.used("kept");
  recent.used("left");
  for (let period = 0; period < 5; period++) {
    vi.advanceTimersByTime(1000);
    recent.used("kept");
  }
  expect(forgotten).toEqual(["left"]);
});

test("the timer ends when nothing is remembered, and begins again with the next use", () => {
  recent.used("a");
  vi.advanceTimersByTime(2000);
  expect(forgotten).toEqual(["a"]);
  expect(vi.getTimerCount()).toBe(0);
  recent.used("a");
  vi.advanceTimersByTime(2000);
  expect(forgotten).toEqual(["a", "a"]);
});

test("all but one can be forgotten at once", () => {
  recent.used("old");
  vi.advanceTimersByTime(1000);
  recent.used("a");
  recent.used("b");
  recent.forgetAllBut("b");
  expect(forgotten).toEqual(["a", "old"]);
  vi.advanceTimersByTime(2000);
  expect(forgotten).toEqual(["a", "old", "b"]);
});
