import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { LogLevels } from "./log-levels.js";

test.each([
  ["controllers/namespace-controller", 4],
  ["aggregation/aggregator", 6],
  ["serving/filters/log-requests", 2],
  ["serving/filters/deadline", 5],
])("the level of %s is %d", (file, expected) => {
  const levels = new LogLevels(2, [
    { pattern: "namespace-*", level: 4 },
    { pattern: "aggregator", level: 6 },
    { pattern: "log-?equests", level: 1 },
    { pattern: "serving/*/deadline", level: 5 },
    { pattern: "serving/deadline", level: 9 },
  ]);
  expect(levels.of(file)).toBe(expected);
  expect(levels.of(file)).toBe(expected);
});

test("the first pattern that matches counts", () => {
  const levels = new LogLevels(0, [
    { pattern: "a*", level: 1 },
    { pattern: "ab", level: 3 },
  ]);
  expect(levels.of("x/ab")).toBe(1);
});

test("characters that mean something to regular expressions mean themselves", () => {
  expect(new LogLevels(0, [{ pattern: "a.c", level: 1 }]).of("abc")).toBe(0);
});

test("a change of the level reaches other threads, and files whose level is known", () => {
  const levels = new LogLevels(0, [{ pattern: "ab", level: 3 }]);
  const elsewhere = new LogLevels(levels.memory, [{ pattern: "ab", level: 3 }]);
  expect([elsewhere.of("x/ab"), elsewhere.of("x/c")]).toEqual([3, 0]);
  levels.set(4);
  expect([elsewhere.of("x/ab"), elsewhere.of("x/c")]).toEqual([4, 4]);
  levels.set(1);
  expect([levels.of("x/ab"), levels.of("x/c")]).toEqual([3, 1]);
});

test("every file that logs by level names itself", () => {
  const source = join(import.meta.dirname, "..");
  const wrong: string[] = [];
  for (const name of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const path = relative(source, join(source, name)).replace(/\.ts$/, "");
    const text = readFileSync(join(source, name), "utf8");
    for (const [, file] of text.matchAll(/(?:\blevel: \w+, file: |^const file = )"([^"]*)"/gm)) {
      if (file !== path) wrong.push(`${path} says it is ${file}`);
    }
  }
  expect(wrong).toEqual([]);
});
