import fc from "fast-check";
import { expect, test } from "vitest";
import { printJson, printJsonByEngine, printJsonString, unparsedJson } from "./json-print.js";
import type { JsonValue } from "./json-value.js";

test("escapes as Kubernetes does", () => {
  expect(printJsonString('a"\\\n\r\t')).toBe('"a\\"\\\\\\n\\r\\t"');
  expect(printJsonString("\b\f\u0000\u001f\u007f")).toBe('"\\u0008\\u000c\\u0000\\u001f\u007f"');
  expect(printJsonString("<a&b>")).toBe('"\\u003ca\\u0026b\\u003e"');
  expect(printJsonString("\u2028\u2029é\u{1f600}")).toBe('"\\u2028\\u2029é\u{1f600}"');
  expect(printJsonString("\ud800a\udc00")).toBe('"\ufffda\ufffd"');
  expect(printJson("<", { htmlEscape: false })).toBe('"<"');
  expect(printJson("\u2028", { htmlEscape: false })).toBe('"\\u2028"');
});

test("the engine's printer leaves out and keeps the same, and big integers are exact", () => {
  const value = { b: [1, null, "<é"], a: { none: undefined, "10": -0.5 } } as unknown as JsonValue;
  expect(printJsonByEngine(value)).toBe(printJson(value, { htmlEscape: false }));
  expect(printJsonByEngine({ n: [12345678901234567890n, "\u2028"] })).toBe(
    '{"n":[12345678901234567890,"\\u2028"]}',
  );
});

test("strings of any length read back", () => {
  const strings = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.string({ minLength: 30, maxLength: 40 }),
  );
  fc.assert(
    fc.property(strings, (text) => {
      expect(JSON.parse(printJsonString(text))).toBe(text);
    }),
  );
});

test("escapes long texts as short ones", () => {
  const parts = ["<", '"', "a\n\u2028", "\u00e9", "\ud83d\ude00", "\ud83d", "\u4e2d\u0001"];
  for (const part of parts) {
    const [short, plain] = [printJsonString(part), printJson(part, { htmlEscape: false })];
    for (const count of [16_383, 16_384, 16_385, 40_000]) {
      const text = part.repeat(count);
      expect(printJsonString(text)).toBe(`"${short.slice(1, -1).repeat(count)}"`);
      expect(printJson(text, { htmlEscape: false })).toBe(`"${plain.slice(1, -1).repeat(count)}"`);
    }
  }
  expect(printJson(unparsedJson(`{"<\u2028${"&".repeat(50_000)}\u4e2d":{}}`))).toBe(
    `{"\\u003c\u2028${"\\u0026".repeat(50_000)}\u4e2d":{}}`,
  );
});

test("keeps the order of keys, prints big integers, leaves out what is undefined", () => {
  const value = { b: 1n, a: [1, null, true], c: undefined, d: { "<": 2n ** 63n } };
  expect(printJson(value as unknown as JsonValue)).toBe(
    '{"b":1,"a":[1,null,true],"d":{"\\u003c":9223372036854775808}}',
  );
});

test("what is not finite is null", () => {
  expect(printJson([Number.NaN, Number.POSITIVE_INFINITY])).toBe("[null,null]");
});

test("pretty printing is that of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("  ", "\t"), (value, indent) => {
      const plain: JsonValue = JSON.parse(JSON.stringify(value));
      const printed = printJson(plain, { indent, htmlEscape: false });
      expect(JSON.parse(printed)).toEqual(plain);
      expect(printed.split("\n").length).toBe(JSON.stringify(plain, null, indent).split("\n").length);
    }),
  );
  expect(printJson({ a: [1, {}], b: [] }, { indent: "  " })).toBe(
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}',
  );
});
