import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Reclaimable } from "./reclaimable.js";

/** Values that the garbage collector has freed. */
const freed = new Set<object>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "WeakRef",
    class {
      readonly #value: object;
      constructor(value: object) {
        this.#value = value;
      }
      deref(): object | undefined {
        return freed.has(this.#value) ? undefined : this.#value;
      }
    },
  );
});

afterEach(() => {
  freed.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function counted(): Reclaimable<{ readonly number: number }> {
  let number = 0;
  return new Reclaimable(() => {
    number++;
    return { number };
  });
}

test("a value is held for some seconds after it was made", () => {
  const value = counted();
  const first = value.get();
  freed.add(first);
  vi.advanceTimersByTime(9_999);
  expect(value.get()).toBe(first);
  vi.advanceTimersByTime(1);
  expect(value.get()).toEqual({ number: 2 });
});

test("a value that was not freed meanwhile is held again from its next use on", () => {
  const value = counted();
  const first = value.get();
  vi.advanceTimersByTime(60_000);
  expect(value.get()).toBe(first);
  freed.add(first);
  vi.advanceTimersByTime(9_999);
  expect(value.get()).toBe(first);
  vi.advanceTimersByTime(1);
  expect(value.get()).toEqual({ number: 2 });
});
