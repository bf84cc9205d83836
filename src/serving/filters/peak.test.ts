import { expect, test } from "vitest";
import { Peak } from "./peak.js";

test("the most at once is remembered for the second in which it was, and the one after", () => {
  const peak = new Peak();
  peak.begin(1_000);
  peak.begin(1_100);
  peak.end();
  peak.end();
  expect(peak.recent(1_999)).toBe(2);
  expect(peak.recent(2_000)).toBe(2);
  expect(peak.recent(3_000)).toBe(0);
});

test("what still runs counts in later seconds", () => {
  const peak = new Peak();
  peak.begin(1_000);
  peak.begin(1_500);
  peak.end();
  expect(peak.recent(9_000)).toBe(1);
  peak.begin(9_100);
  expect(peak.recent(9_200)).toBe(2);
});
