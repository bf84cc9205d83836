import fc from "fast-check";
import { expect, test } from "vitest";
import { indentedJson } from "./json-indent.js";
import { printJson } from "./json-print.js";
import type { JsonValue } from "./json-value.js";

function indented(value: JsonValue, margin?: number): string {
  return Buffer.concat([...indentedJson(Buffer.from(printJson(value)), margin)]).toString("utf8");
}

test("text is indented as values are printed", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = value as JsonValue;
      const printed = printJson(json, { indent: "  " });
      expect(indented(json)).toBe(printed);
      expect(indented(json, 2)).toBe(printed.replaceAll("\n", "\n    "));
    }),
  );
});

test("the end of a line behind the text is left out", () => {
  expect(Buffer.concat([...indentedJson(Buffer.from('{"a":[1,{}]}\n'))]).toString()).toBe(
    '{\n  "a": [\n    1,\n    {}\n  ]\n}',
  );
});

test("long and deep texts are made in pieces", () => {
  const long = { a: 'x"\\ü'.repeat(50_000), b: [{ c: "y".repeat(100_000) }] };
  expect(indented(long)).toBe(printJson(long, { indent: "  " }));
  let deep: JsonValue = "end";
  for (let level = 0; level < 900; level++) deep = [deep, {}];
  const pieces = [...indentedJson(Buffer.from(printJson([deep, deep, deep])))];
  expect(Buffer.concat(pieces).toString("utf8")).toBe(printJson([deep, deep, deep], { indent: "  " }));
  expect(pieces.length).toBeGreaterThan(20);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(64 * 1024);
});
