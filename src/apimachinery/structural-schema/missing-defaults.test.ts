import { describe, expect, test } from "vitest";
import { copyJson } from "../json/json-copy.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { defaultsFit } from "./missing-defaults.js";
import { parseStructuralSchema } from "./parse-schema.js";
import { setDefaults } from "./set-defaults.js";

const prefix = "x-orch-";
const kib = 1024;
const text = (bytes: number): JsonObject => ({ type: "string", default: "d".repeat(bytes) });
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...rest,
});
const listOf = (items: JsonObject, rest: JsonObject = {}): JsonObject =>
  object({ list: { type: "array", items, ...rest } });
const items = (count: number, item: JsonValue = {}): JsonObject => ({
  list: Array.from({ length: count }, () => copyJson(item)),
});

function fits(value: JsonObject, schema: JsonObject): boolean {
  const parsed = parseStructuralSchema(schema, prefix);
  const answer = defaultsFit(value, parsed);
  const copy = copyJson(value);
  setDefaults(copy, parsed);
  // Defaults are set all or none.
  if (answer) expect(defaultsFit(copy, parsed)).toBe(true);
  else expect(copy).toEqual(value);
  return answer;
}

describe("what defaults may add", () => {
  test.each<[what: string, isAllowed: boolean, value: JsonObject, schema: JsonObject]>([
    ["as much as any object may get", true, {}, object({ a: text(250 * kib) })],
    ["more than that, to a small object", false, {}, object({ a: text(260 * kib) })],
    ["a default in each of many items", false, items(600), listOf(object({ a: text(300 * kib) }))],
    ["a small one in each of very many", false, items(24_000), listOf(object({ a: text(100) }))],
    ["many in each", false, items(24_000), listOf(object(properties(2000)))],
    [
      "as much as the object has",
      true,
      items(2000, { b: "x".repeat(300) }),
      listOf(object({ a: text(250), b: text(1) })),
    ],
    [
      "more than the object has",
      false,
      items(2000, { b: "x".repeat(300) }),
      listOf(object({ a: text(400), b: text(1) })),
    ],
    [
      "little to an object that is very large",
      true,
      { b: "x".repeat(3000 * kib) },
      object({ a: text(10), b: text(1) }),
    ],
    [
      "more than can be stored",
      false,
      { b: "x".repeat(1200 * kib) },
      object({ a: text(300 * kib), b: text(1) }),
    ],
    [
      "items that are null",
      false,
      items(600, null),
      listOf(object({}, { default: { a: "d".repeat(9000) } })),
    ],
    ["members that are null", false, { a: null }, object({ a: text(300 * kib) })],
    ["nulls that stay", true, { a: null }, object({ a: { ...text(300 * kib), nullable: true } })],
    [
      "values of a map",
      false,
      maps(600),
      { type: "object", additionalProperties: object({ a: text(9000) }) },
    ],
    ["null values of a map", false, maps(600, null), { type: "object", additionalProperties: text(9000) }],
    [
      "defaults within a default",
      false,
      {},
      listOf(object({ a: text(9000) }), { default: new Array(600).fill({}) }),
    ],
    ["nothing", true, items(24_000, { a: "own" }), listOf(object({ a: text(300 * kib) }))],
  ])("%s", (_what, isAllowed, value, schema) => {
    expect(fits(value, schema)).toBe(isAllowed);
  });

  function properties(count: number): JsonObject {
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, text(1)]));
  }

  function maps(count: number, value: JsonValue = {}): JsonObject {
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, value]));
  }
});

test("lists of defaults in lists of defaults are counted without making them", () => {
  let tree = object({ leaf: text(1) });
  for (let level = 0; level < 200; level++) tree = listOf(tree, { default: [{}, {}] });
  expect(fits({}, tree)).toBe(false);
});

test("the count is what is added", () => {
  const schema = parseStructuralSchema(
    object({
      a: object({ b: text(10), c: { type: "integer", default: 12 } }, { default: { c: 3 } }),
      list: { type: "array", items: object({ d: text(5) }), default: [{}, { d: "own" }] },
    }),
    prefix,
  );
  const value: JsonObject = {};
  setDefaults(value, schema);
  const counted = schema.defaultedProperties.reduce(
    (sum, [name, property]) => sum + name.length + 4 + property.defaultBytes,
    0,
  );
  const printed = JSON.stringify(value).length;
  // A comma more for each list and object.
  expect(counted).toBeGreaterThanOrEqual(printed - 2);
  expect(counted).toBeLessThan(printed + 10);
  expect(schema.defaultBytes).toBe(0);
});
