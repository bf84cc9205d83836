import { expect, test } from "vitest";
import { allSteps } from "../../apimachinery/steps.js";
import { deepEqualSteps, isDeepEqual } from "./base-strategy.js";

const wide = (last: unknown): object => ({
  list: Array.from({ length: 2000 }, (_, i) => ({ i, text: "x", none: undefined })),
  last,
});

test.each([
  [undefined, undefined, true],
  [1, 1, true],
  [1, "1", false],
  [[], undefined, true],
  [{ a: [] }, { b: null }, true],
  [{ a: {} }, {}, false],
  [{}, [], false],
  [[], {}, false],
  [[1, [2, { a: 3 }]], [1, [2, { a: 3 }]], true],
  [[1, 2], [1], false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ toString: 1 }, {}, false],
  [wide({ a: 1 }), wide({ a: 1 }), true],
  [wide({ a: 1 }), wide({ a: 2 }), false],
])("equality is the same in steps (%#)", (a, b, equal) => {
  expect(isDeepEqual(a, b)).toBe(equal);
  expect(allSteps(deepEqualSteps(a, b))).toBe(equal);
  expect(allSteps(deepEqualSteps(b, a))).toBe(equal);
});

test("large objects are compared in several steps", () => {
  expect([...deepEqualSteps(wide(1), wide(1))].length).toBeGreaterThan(2);
});
