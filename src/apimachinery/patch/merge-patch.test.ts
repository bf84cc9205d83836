import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { applyMergePatch } from "./merge-patch.js";

const cases: [JsonObject, JsonObject, JsonObject][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  [{}, { a: [null, { b: null, c: 1 }] }, { a: [null, { c: 1 }] }],
];
test.each(cases)("%j with %j is %j", (document, patch, expected) => {
  const before = JSON.stringify(document);
  expect(applyMergePatch(document, patch)).toEqual(expected);
  expect(JSON.stringify(document)).toBe(before);
});

test("a list replaces the document, which only a decoder can refuse", () => {
  expect(applyMergePatch({ a: 1 }, [{ b: null, c: 2 }, null])).toEqual([{ c: 2 }, null]);
});

test.each([[null], ["x"], [1]])("%j is no patch", (patch: JsonValue) => {
  expect(() => applyMergePatch({}, patch)).toThrow("Invalid JSON Patch");
});

test("a patch too deep to walk is refused", () => {
  let patch: JsonValue = {};
  for (let depth = 0; depth < 100_000; depth++) patch = { a: patch };
  expect(() => applyMergePatch({}, patch)).toThrow("nested more than 1000 levels");
});

test("a field named __proto__ is ordinary data", () => {
  const patch: JsonObject = JSON.parse('{"__proto__":{"x":1},"a":{"__proto__":{"y":2}}}');
  const result = applyMergePatch({ a: {} }, patch);
  expect(JSON.stringify(result)).toBe('{"a":{"__proto__":{"y":2}},"__proto__":{"x":1}}');
  expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
});

test("applying twice is applying once", () => {
  const object = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 3 }));
  const merged = (document: JsonObject, patch: JsonValue): JsonObject => {
    const result = applyMergePatch(document, patch);
    if (!isJsonObject(result)) throw new Error("two objects make an object");
    return result;
  };
  fc.assert(
    fc.property(object, object, (document, patch) => {
      const once = merged(JSON.parse(JSON.stringify(document)), JSON.parse(JSON.stringify(patch)));
      expect(merged(once, JSON.parse(JSON.stringify(patch)))).toEqual(once);
    }),
  );
});
