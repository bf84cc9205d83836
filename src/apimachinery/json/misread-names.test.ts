import { expect, test } from "vitest";
import { parseJson } from "./json-parse.js";
import { printJson } from "./json-print.js";
import type { JsonObject } from "./json-value.js";

test.each([
  [String.raw`{"p":1,"\\":2}`, String.raw`{"p":1,"\"":2}`, '"'],
  [String.raw`{"q":1,"\\na":2}`, String.raw`{"q":1,"\nab":2}`, "\nab"],
  [String.raw`{"r":1,"\\u0":2}`, String.raw`{"r":1,"\u0061bc":2}`, "abc"],
  [String.raw`{"s":1,"a\\":{}}`, String.raw`{"s":1,"a\t":{}}`, "a\t"],
])("after %s, a name of %s is read as it is written", (before, text, name) => {
  expect(Object.keys(parseJson(before) as object)).toHaveLength(2);
  expect(Object.keys(parseJson(text) as object)[1]).toBe(name);
  // Within others, and in a list.
  const inner = parseJson(`{"items":[${text}]}`) as { items: JsonObject[] };
  expect(Object.keys(inner.items[0] ?? {})[1]).toBe(name);
  expect(printJson(parseJson(printJson(inner)))).toBe(printJson(inner));
});

test("names with backslashes are read in every engine", () => {
  const value = { "a\\": 1, b: [{ "\\n": { "\\": null } }] };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});
