import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyBytes } from "./body-bytes.js";

test("a body is the text without its first character, of any length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 30_000 }), (text, repeated) => {
      const json = `{${text}${"é".repeat(repeated)}`;
      expect(bodyBytes(json).toString()).toBe(json.slice(1));
    }),
  );
});

test("a body does not change with the next", () => {
  const first = bodyBytes('{"a":1}');
  bodyBytes('{"b":2}');
  expect(first.toString()).toBe('"a":1}');
});
