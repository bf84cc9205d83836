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

test("the longest common run counts, and lines that are frequent in a long text do not begin one", () => {
  expect(unifiedDifference(lines("abxcd"), lines("cdyab"))).toBe(
    "@@ -1,5 +1,5 @@\n+c\n+d\n+y\n a\n b\n-x\n-c\n-d\n",
  );
  const filler = Array.from({ length: 197 }, (_, index) => `${index}`);
  const [before, after] = [
    ["x", "-", "-"],
    ["-", "-", "-", "-"],
  ];
  expect(unifiedDifference(before, after)).toBe("@@ -1,3 +1,4 @@\n-x\n -\n -\n+-\n+-\n");
  expect(unifiedDifference([...filler, ...before], [...filler, ...after])).toBe(
    "@@ -195,6 +195,7 @@\n 194\n 195\n 196\n-x\n--\n--\n+-\n+-\n+-\n+-\n",
  );
});

test("long texts are not compared line by line", () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
  const difference = unifiedDifference(["{", ...before, "}"], ["{", ...before.toReversed(), "}"]);
  expect(difference.startsWith("@@ -1,20002 +1,20002 @@\n {\n-a0\n")).toBe(true);
});

test("texts that share many single lines are compared as far as a limit of steps goes", () => {
  const shared = Array.from({ length: 1400 }, (_, index) => `${index % 90}`);
  const before = shared.flatMap((line, index) => [line, `a${index}`]);
  const after = shared.flatMap((line, index) => [line, `b${index}`]);
  const difference = unifiedDifference(before, after);
  expect(difference).toMatch(/^@@ -1,2800 \+1,2800 @@\n 0\n-a0\n\+b0\n 1\n/);
  // The end is replaced as a whole.
  expect(difference.endsWith("+48\n+b1398\n+49\n+b1399\n")).toBe(true);
});

test("one search for a common run ends at the limit of steps too", () => {
  const block = Array.from({ length: 9 }, (_, index) => `u${index}`);
  const before = [...Array.from({ length: 2800 }, (_, index) => ["x", `a${index}`]).flat(), ...block];
  const after = [...Array.from({ length: 190 }, () => "x"), ...block];
  const difference = unifiedDifference(before, after);
  expect(difference).toContain("\n-u0\n");
  expect(difference).toContain("\n+u0\n");
});
