import { expect, test } from "vitest";
import { FieldPath } from "../field-error.js";
import { semanticEqual, validateImmutable, validateNonnegative } from "./values.js";

test.each([
  [{ a: 1, b: [] }, { a: 1 }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: null }, {}, true],
  [{ a: undefined }, { b: undefined }, true],
  [{ a: {} }, {}, false],
  [[1, 2], [2, 1], false],
  [10n, 10, true],
  ["1", 1, false],
  [{ a: { b: ["x"] } }, { a: { b: ["x"] } }, true],
  [JSON.parse('{"__proto__":{"a":1}}'), {}, false],
])("%o and %o: %s", (a, b, expected) => {
  expect(semanticEqual(a, b)).toBe(expected);
  expect(semanticEqual(b, a)).toBe(expected);
});

test("the errors of immutable and negative values", () => {
  const path = FieldPath.of("spec", "x");
  expect(validateImmutable("a", "b", path)[0]?.body).toBe('Invalid value: "a": field is immutable');
  expect(validateImmutable("a", "a", path)).toEqual([]);
  expect(validateNonnegative(-1n, path)[0]?.body).toBe(
    "Invalid value: -1: must be greater than or equal to 0",
  );
});
