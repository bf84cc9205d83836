import { expect, test } from "vitest";
import { isDeepEqual } from "./base-strategy.js";

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
])("%j and %j: equal is %j", (a, b, equal) => {
  expect(isDeepEqual(a, b)).toBe(equal);
  expect(isDeepEqual(b, a)).toBe(equal);
});
