import fc from "fast-check";
import { expect, test } from "vitest";
import { copyJson } from "./json-copy.js";
import { parseJson } from "./json-parse.js";
import { printJson, unparsedJson } from "./json-print.js";
import type { JsonObject, JsonValue } from "./json-value.js";

test("a copy equals its original, and prints like it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (any) => {
      const value = parseJson(JSON.stringify(any));
      expect(copyJson(value)).toEqual(value);
      expect(printJson(copyJson(value))).toBe(printJson(value));
    }),
  );
});

test("a copy shares nothing, and has no undefined members", () => {
  const value = { a: [{ b: 1n }], gone: undefined } as unknown as JsonObject;
  const copy = copyJson(value) as { a: object[] };
  expect(Object.keys(copy)).toEqual(["a"]);
  expect(copy).toEqual({ a: [{ b: 1n }] });
  expect(copy.a).not.toBe(value.a);
  expect(copy.a[0]).not.toBe((value.a as readonly JsonValue[])[0]);
});

test("what was left as text is read", () => {
  expect(copyJson({ set: unparsedJson('{"f:a<":{}}'), empty: {} })).toEqual({
    set: { "f:a<": {} },
    empty: {},
  });
});

test("a member may have the name of the prototype", () => {
  const copy = copyJson(parseJson('{"__proto__":{"a":1}}'));
  expect(Object.keys(copy as object)).toEqual(["__proto__"]);
  expect(printJson(copy)).toBe('{"__proto__":{"a":1}}');
});
