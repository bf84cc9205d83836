import fc from "fast-check";
import { expect, test } from "vitest";
import { compareKeys, isEmptyRange, isInRange } from "./key-order.js";

test("keys are ordered as their UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test("a character beyond the first plane comes after every other", () => {
  expect(compareKeys("\u{1f600}", "～")).toBeGreaterThan(0);
  expect("\u{1f600}" < "～").toBe(true);
});

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
