import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCommaSeparated, parseCommaSeparated } from "./comma-separated.js";

test.each([
  ["", []],
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  ["a,", ["a", ""]],
  [",a", ["", "a"]],
  ['"a,b",c', ["a,b", "c"]],
  ['"say ""x"""', ['say "x"']],
  ['a,""', ["a", ""]],
  ["a b, c", ["a b", " c"]],
])("%j has the fields %j", (line, fields) => {
  expect(parseCommaSeparated(line)).toEqual({ value: fields });
});

test.each(['a"b', '"a', '"a"b', 'a,"b"c'])("the quotes of %j are refused", (line) => {
  expect(parseCommaSeparated(line)).toHaveProperty("problem");
});

test("what is written reads back", () => {
  const field = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', " ", "=") });
  fc.assert(
    fc.property(fc.array(field, { minLength: 1 }), (fields) => {
      // One empty field and no fields are both written as an empty string, as in CSV.
      fc.pre(!(fields.length === 1 && fields[0] === ""));
      expect(parseCommaSeparated(formatCommaSeparated(fields))).toEqual({ value: fields });
    }),
  );
});
