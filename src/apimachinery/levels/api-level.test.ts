import { expect, test } from "vitest";
import { apiLevels, atLevel, hasLevel, isApiLevel, isAtLeast, minorOf } from "./api-level.js";

test("levels are in order", () => {
  expect(apiLevels.map(minorOf)).toEqual(apiLevels.map((_, index) => 23 + index));
  expect(isAtLeast("1.30", "1.29")).toBe(true);
  expect(isAtLeast("1.29", "1.29")).toBe(true);
  expect(isAtLeast("1.24", "1.29")).toBe(false);
});

test("a level is a minor version that the server knows", () => {
  expect(["1.23", "1.36"].map(isApiLevel)).toEqual([true, true]);
  expect(["1.22", "1.37", "1", "v1.30", ""].some(isApiLevel)).toBe(false);
});

test("a range has its first level and lacks the one that ends it", () => {
  const range = { since: "1.26", until: "1.31" } as const;
  expect(apiLevels.filter((level) => hasLevel(range, level))).toEqual([
    "1.26",
    "1.27",
    "1.28",
    "1.29",
    "1.30",
  ]);
  expect(apiLevels.every((level) => hasLevel({}, level))).toBe(true);
});

test("each change is undone below its level", () => {
  interface Attributes {
    readonly optional?: true;
    readonly values?: readonly string[];
  }
  const newest: Attributes = { optional: true, values: ["a", "b", "c"] };
  const before = {
    "1.36": { optional: undefined },
    "1.30": { values: ["a", "b"] },
    "1.25": { values: ["a"] },
  } as const;
  expect(atLevel(newest, before, "1.36")).toEqual(newest);
  expect(atLevel(newest, before, "1.30")).toEqual({ values: ["a", "b", "c"] });
  expect(atLevel(newest, before, "1.29")).toEqual({ values: ["a", "b"] });
  expect(atLevel(newest, before, "1.24")).toEqual({ values: ["a"] });
});
