import { expect, test } from "vitest";
import { isDeepEqual } from "./deep-equal.js";

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
  expect(isDeepEqual(a, b)).toBe(expected);
  expect(isDeepEqual(b, a)).toBe(expected);
});
