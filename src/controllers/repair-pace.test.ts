import { expect, test } from "vitest";
import { RepairPace } from "./repair-pace.js";

test("what is undone time and again is repaired ever more rarely", () => {
  const pace = new RepairPace<string>();
  let now = 0;
  const waits: number[] = [];
  for (let round = 0; round < 14; round++) {
    waits.push(pace.waitMs("a", now) / 1000);
    now += pace.waitMs("a", now);
    pace.repaired("a", now);
  }
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
  expect(pace.waitMs("b", now)).toBe(0);
});

test("what was left alone for long enough is repaired at once", () => {
  const pace = new RepairPace<string>();
  pace.repaired("a", 0);
  pace.repaired("a", 1000);
  expect(pace.waitMs("a", 1500)).toBe(1500);
  expect(pace.waitMs("a", 6000)).toBe(0);
  pace.repaired("a", 6000);
  expect(pace.waitMs("a", 6000)).toBe(1000);
  pace.forget("a");
  expect(pace.waitMs("a", 6000)).toBe(0);
});
