import fc from "fast-check";
import { expect, test } from "vitest";
import { FieldSelector, parseFieldSelector } from "./field-selector.js";

test.each([
  ["", ""],
  ["a=b", "a=b"],
  ["a==b", "a=b"],
  ["a!=b", "a!=b"],
  ["b=2,a=1", "a=1,b=2"],
  ["a=,b!=", "a=,b!="],
  [",,a=1,", "a=1"],
  ["=", ""],
  ["!=,==,a=1", "a=1"],
  ["=b", "=b"],
  ["a=\\,\\=\\\\", "a=\\,\\=\\\\"],
])("%j is read as %j", (text, canonical) => {
  expect(parseFieldSelector(text).toString()).toBe(canonical);
});

test.each([
  ["a", "invalid selector: 'a'; can't understand 'a'"],
  ["a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"],
  ["a=b\\c", "invalid field selector: invalid escape sequence: \\c"],
  ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
  ["a=b=c", "invalid field selector: unescaped character in value: 61"],
])("%j fails with %j", (text, message) => {
  expect(() => parseFieldSelector(text)).toThrow(new Error(message));
});

test("absent fields are empty", () => {
  expect(parseFieldSelector("spec.nodeName=").matches({})).toBe(true);
  expect(parseFieldSelector("spec.nodeName!=").matches({})).toBe(false);
  expect(parseFieldSelector("toString=").matches({})).toBe(true);
  expect(parseFieldSelector("a=1,b!=2").matches({ a: "1", b: "3" })).toBe(true);
  expect(parseFieldSelector("a=1,b!=2").matches({ a: "1", b: "2" })).toBe(false);
});

test("an exact name can be used as a key", () => {
  const selector = parseFieldSelector("status.phase!=Failed,metadata.name=web-1");
  expect(selector.exactValue("metadata.name")).toBe("web-1");
  expect(selector.exactValue("status.phase")).toBeUndefined();
  expect(selector.requirements()).toEqual([
    { field: "metadata.name", operator: "=", value: "web-1" },
    { field: "status.phase", operator: "!=", value: "Failed" },
  ]);
});

test("printing and parsing are inverse, whatever the values", () => {
  const requirement = fc.record({
    field: fc.stringMatching(/^[a-z.]{1,8}$/),
    operator: fc.constantFrom<"=" | "!=">("=", "!="),
    value: fc.string({ unit: fc.constantFrom(..."ab\\,=! é😀") }),
  });
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 4 }), (requirements) => {
      const again = parseFieldSelector(FieldSelector.of(requirements).toString());
      const sorted = (list: readonly object[]) => list.map((item) => JSON.stringify(item)).sort();
      expect(sorted(again.requirements())).toEqual(sorted(requirements));
    }),
  );
});
