import fc from "fast-check";
import { expect, test } from "vitest";
import { measureJson } from "./json-size.js";

test.each([
  ["1", 0, 0],
  ["{}", 1, 1],
  ['{"a":1,"b":[1,2,3]}', 5, 2],
  ['{"a,[{":"}\\",\\\\"}', 1, 1],
  ["[[[[", 4, 4],
  ['["', 1, 1],
])("%s has %i values, %i deep", (text, values, depth) => {
  expect(measureJson(Buffer.from(text))).toEqual({ values, depth });
});

test("every value is counted", () => {
  const count = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? Math.max(
          1,
          Object.values(value).reduce((sum: number, each) => sum + 1 + count(each), 0),
        )
      : 0;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(measureJson(Buffer.from(JSON.stringify(value))).values).toBe(count(value));
    }),
  );
});
