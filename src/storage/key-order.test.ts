import { expect, test } from "vitest";
import { isEmptyRange, isInRange } from "./key-order.js";

test("a range holds its start and not its end", () => {
  const range = { start: "a/", end: "a0" };
  expect(["a", "a/", "a/z", "a0"].filter((key) => isInRange(key, range))).toEqual(["a/", "a/z"]);
  expect(isInRange("a", { start: "a" })).toBe(true);
  expect(isInRange("ab", { start: "a" })).toBe(false);
});

test("a range whose end is not after its start is empty", () => {
  expect(isEmptyRange({ start: "b", end: "a" })).toBe(true);
  expect(isEmptyRange({ start: "b", end: "b" })).toBe(true);
  expect(isEmptyRange({ start: "b", end: "b\0" })).toBe(false);
  expect(isEmptyRange({ start: "b" })).toBe(false);
});
