import fc from "fast-check";
import { expect, test } from "vitest";
import { formatGoDuration, parseGoDuration } from "./go-duration.js";

test.each([
  ["0", 0],
  ["0s", 0],
  ["30s", 30_000],
  ["5m0s", 300_000],
  ["1h0m0s", 3_600_000],
  ["500ms", 500],
  ["1.5h", 5_400_000],
  [".5s", 500],
  ["1.s", 1000],
  ["1h30m", 5_400_000],
  ["-2m", -120_000],
  ["+3s", 3000],
  ["1us", 0.001],
  ["1µs", 0.001],
  ["100ns", 0.0001],
])("%s is %d ms", (text, ms) => {
  expect(parseGoDuration(text)).toEqual({ value: expect.closeTo(ms, 6) });
});

test.each([
  ["", 'invalid duration ""'],
  ["abc", 'invalid duration "abc"'],
  ["-", 'invalid duration "-"'],
  [".s", 'invalid duration ".s"'],
  ["1s ", 'unknown unit "s " in duration "1s "'],
  ["5", 'missing unit in duration "5" (such as 30s, 5m0s, 1h0m0s)'],
  ["1d", 'unknown unit "d" in duration "1d"'],
  ["1h5", 'missing unit in duration "1h5" (such as 30s, 5m0s, 1h0m0s)'],
  ["3000000h", 'invalid duration "3000000h"'],
])("%j is refused", (text, problem) => {
  expect(parseGoDuration(text)).toEqual({ problem });
});

test.each([
  [0, "0s"],
  [1, "1ms"],
  [500, "500ms"],
  [1500, "1.5s"],
  [30_000, "30s"],
  [60_000, "1m0s"],
  [300_000, "5m0s"],
  [3_600_000, "1h0m0s"],
  [5_400_000, "1h30m0s"],
  [90_061_001, "25h1m1.001s"],
  [0.0015, "1.5µs"],
  [0.000007, "7ns"],
  [-1500, "-1.5s"],
])("%d ms is written %s", (ms, text) => {
  expect(formatGoDuration(ms)).toBe(text);
});

test("what is written reads back as the same milliseconds", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 42), max: 2 ** 42 }), (ms) => {
      expect(parseGoDuration(formatGoDuration(ms))).toEqual({ value: expect.closeTo(ms, 3) });
    }),
  );
});
