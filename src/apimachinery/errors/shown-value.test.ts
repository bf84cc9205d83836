import { expect, test } from "vitest";
import { unparsedJson } from "../json/json-print.js";
import { shownCharactersMax } from "./printed-value.js";
import { goMapText, goSyntaxText, sortedJsonText } from "./shown-value.js";

test("values print as Go prints maps", () => {
  const value = { spec: { b: null, a: [1, "x y", true, 2.5] }, empty: {} };
  expect(goMapText(value)).toBe("map[empty:map[] spec:map[a:[1 x y true 2.5] b:<nil>]]");
});

test("values print as Go code", () => {
  const value = { z: ["a\u0000", 1, 2.5, null, []], b: true };
  expect(goSyntaxText(value)).toBe(
    'map[string]interface {}{"b":true, "z":[]interface {}{"a\\x00", 1, 2.5, interface {}(nil), []interface {}{}}}',
  );
});

test("values print as JSON, with sorted keys", () => {
  const value = { b: [{ d: "<", c: 2n }, []], a: null, e: {}, f: unparsedJson('{"g":1}') };
  expect(sortedJsonText(value)).toBe('{"a":null,"b":[{"c":2,"d":"\\u003c"},[]],"e":{},"f":{"g":1}}');
});

test.each([
  ["members", Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, { abc: i }]))],
  ["items", Array.from({ length: 100_000 }, () => "item")],
  ["a value", { a: "x".repeat(1_000_000) }],
  ["a key", { ["x".repeat(1_000_000)]: 1 }],
])("of many or long %s, little more is printed than an error shows", (_what, value) => {
  for (const print of [goMapText, goSyntaxText, sortedJsonText]) {
    const { length } = print(value);
    expect(length).toBeGreaterThan(shownCharactersMax);
    expect(length).toBeLessThan(1.1 * shownCharactersMax);
  }
});
