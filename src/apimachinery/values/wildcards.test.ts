import { expect, test } from "vitest";
import { matchesAny, matchesWildcards } from "./wildcards.js";

test.each([
  ["web", "web", true],
  ["web", "web-0", false],
  ["web-*", "web-0", true],
  ["*", "", true],
  ["*-db", "web-db", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["ab*ba", "aba", false],
  ["a.c", "abc", false],
  ["", "", true],
  ["**", "x", true],
])("%j and %j: %j", (pattern, text, expected) => {
  expect(matchesWildcards(pattern, text)).toBe(expected);
});

test("many wildcards cost no more than many characters", () => {
  expect(matchesWildcards(`${"a*".repeat(200)}b`, "a".repeat(5000))).toBe(false);
});

test("one of several patterns is enough, none matches nothing", () => {
  expect(matchesAny(["a", "b*"], "bc")).toBe(true);
  expect(matchesAny([], "a")).toBe(false);
});
