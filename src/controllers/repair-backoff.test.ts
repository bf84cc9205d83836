import { expect, test } from "vitest";
import { RepairBackoff } from "./repair-backoff.js";

test("what is undone again and again is repaired at growing intervals", () => {
  const backoff = new RepairBackoff<string>();
  let now = 0;
  const waits: number[] = [];
  for (let round = 0; round < 14; round++) {
    waits.push(backoff.waitMs("a", now) / 1000);
    now += backoff.waitMs("a", now);
    backoff.repaired("a", now);
  }
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
  expect(backoff.waitMs("b", now)).toBe(0);
});

test("what was not undone for long enough is repaired at once", () => {
  const backoff = new RepairBackoff<string>();
  backoff.repaired("a", 0);
  backoff.repaired("a", 1000);
  expect(backoff.waitMs("a", 1500)).toBe(1500);
  expect(backoff.waitMs("a", 6000)).toBe(0);
  backoff.repaired("a", 6000);
  expect(backoff.waitMs("a", 6000)).toBe(1000);
  backoff.forget("a");
  expect(backoff.waitMs("a", 6000)).toBe(0);
});
