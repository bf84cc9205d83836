import { expect, test } from "vitest";
import { int64, parseDecimal, uint64 } from "./decimal-integer.js";

test.each([
  ["0", int64, 0n],
  ["+7", int64, 7n],
  ["-9223372036854775808", int64, int64.min],
  ["9223372036854775808", int64, "value out of range"],
  ["-", int64, "invalid syntax"],
  ["1e3", int64, "invalid syntax"],
  ["", uint64, "invalid syntax"],
  ["+7", uint64, "invalid syntax"],
  ["0018446744073709551615", uint64, uint64.max],
  ["18446744073709551616", uint64, "value out of range"],
  ["9".repeat(1_000_000), uint64, "value out of range"],
] as const)("%.30s", (text, range, expected) => {
  expect(parseDecimal(text, range)).toBe(expected);
});
