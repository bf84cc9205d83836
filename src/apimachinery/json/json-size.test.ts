import fc from "fast-check";
import { expect, test } from "vitest";
import { measureJson } from "./json-size.js";

test.each([
  ["1", 0, 0, 0],
  ["{}", 1, 0, 1],
  ['{"a":1,"b":[1,2,3]}', 5, 3, 2],
  ['{"a":[1,2],"b":2,"c":{"d":[]},"e":4}', 8, 4, 3],
  ['{"a,[{":"}\\",\\\\"}', 1, 0, 1],
  ["[[[[", 4, 0, 4],
  ['["', 1, 0, 1],
])("%s has %i values, %i in one where there are several, %i deep", (text, values, membersMax, depth) => {
  const size = measureJson(Buffer.from(text));
  expect(size).toMatchObject({ values, depth });
  if (membersMax > 0) expect(size.membersMax).toBe(membersMax);
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
