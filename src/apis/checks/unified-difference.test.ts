import { expect, test } from "vitest";
import { unifiedDifference } from "./unified-difference.js";

const lines = (text: string): readonly string[] => [...text];

test.each([
  ["abcdefgh", "abcdXfgh", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n"],
  ["a", "b", "@@ -1 +1 @@\n-a\n+b\n"],
  ["", "b", "@@ -0,0 +1 @@\n+b\n"],
  ["ab", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"],
  ["abXcdeYf", "abcdef", "@@ -1,8 +1,6 @@\n a\n b\n-X\n c\n d\n e\n-Y\n f\n"],
  ["Xabcdefghij", "abcdefghijY", "@@ -1,4 +1,3 @@\n-X\n a\n b\n c\n@@ -9,3 +8,4 @@\n h\n i\n j\n+Y\n"],
  ["same", "same", ""],
])("%s to %s", (before, after, expected) => {
  expect(unifiedDifference(lines(before), lines(after))).toBe(expected);
});

test("long texts are not compared line by line", () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
  const difference = unifiedDifference(["{", ...before, "}"], ["{", ...before.toReversed(), "}"]);
  expect(difference.startsWith("@@ -1,20002 +1,20002 @@\n {\n-a0\n")).toBe(true);
});
