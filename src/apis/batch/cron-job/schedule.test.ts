import { expect, test } from "vitest";
import { scheduleProblem } from "./schedule.js";

test.each([
  "* * * * *",
  "*/5 * * * *",
  "0 0 1 JAN sun",
  "5/15 1-5 ? * mon-fri",
  "0,30 8-18/2 * * *",
  "  0   0 * * *  ",
  "@hourly",
  "@every 1h30m",
  "TZ=Asia/Tokyo 0 4 * * *",
  "CRON_TZ=UTC @daily",
])("%j is a schedule", (text) => {
  expect(scheduleProblem(text)).toBeUndefined();
});

test.each([
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* 24 * * *", "end of range (24) above maximum (23): 24"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["* * * * 7", "end of range (7) above maximum (6): 7"],
  ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["*/2/3 * * * *", "too many slashes: */2/3"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ["-1 * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
  ["@often", "unrecognized descriptor: @often"],
  ["@every soon", 'failed to parse duration @every soon: time: invalid duration "soon"'],
  ["@every 5", 'failed to parse duration @every 5: time: missing unit in duration "5"'],
  ["@every 1d", 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
  ["TZ=Nowhere/Land 0 0 * * *", "provided bad location Nowhere/Land: unknown time zone Nowhere/Land"],
  ["TZ=PST 0 0 * * *", "provided bad location PST: unknown time zone PST"],
  ["TZ=../Tokyo 0 0 * * *", "provided bad location ../Tokyo: time: invalid location name"],
  ["TZ=asia/tokyo 0 0 * * *", "provided bad location asia/tokyo: unknown time zone asia/tokyo"],
])("%j is none: %s", (text, problem) => {
  expect(scheduleProblem(text)).toBe(problem);
});

test("a schedule has a longest length", () => {
  const list = (length: number): string => `${"1,".repeat(length / 2)} * * * *`;
  expect(scheduleProblem(list(16_000))).toBeUndefined();
  expect(scheduleProblem(list(1_000_000))).toBe("schedule is longer than 16384 characters");
});
