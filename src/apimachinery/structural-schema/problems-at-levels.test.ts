import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../errors/error-texts.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { type ApiLevel, minorOf } from "../levels/api-level.js";
import { parseStructuralSchema } from "./parse-schema.js";
import { validateValues } from "./validate-values.js";

function problems(minor: number, property: JsonObject, value: JsonValue) {
  const schema = parseStructuralSchema({ type: "object", properties: { a: property } }, "x-orch-", "1.36");
  const errors = withErrorTextsOf(minor, () => validateValues({ a: value }, schema));
  return errors.map(({ field, type, body }) => `${field}: ${type}: ${body}`);
}

describe("values that are too large have errors of their own since 1.24", () => {
  test.each([
    [23, 'a: FieldValueInvalid: Invalid value: "abc": a in body should be at most 2 chars long'],
    [24, "a: FieldValueTooLong: Too long: may not be longer than 2"],
    [31, "a: FieldValueTooLong: Too long: may not be longer than 2"],
    [32, "a: FieldValueTooLong: Too long: may not be more than 2 bytes"],
  ])("1.%i: a long string", (minor, message) => {
    expect(problems(minor, { type: "string", maxLength: 2 }, "abc")).toEqual([message]);
  });

  test.each([
    [23, "a: FieldValueInvalid: Invalid value: 3: a in body should have at most 1 items"],
    [24, "a: FieldValueTooMany: Too many: 3: must have at most 1 items"],
    [34, "a: FieldValueTooMany: Too many: 3: must have at most 1 item"],
  ])("1.%i: a long list", (minor, message) => {
    expect(problems(minor, { type: "array", items: {}, maxItems: 1 }, [1, 2, 3])).toEqual([message]);
  });

  test.each([
    [23, "a: FieldValueInvalid: Invalid value: 1: a in body should have at most 1 properties"],
    [24, "a: FieldValueTooMany: Too many: 3: must have at most 1 items"],
  ])("1.%i: a large map", (minor, message) => {
    const property = { type: "object", additionalProperties: {}, maxProperties: 1 };
    expect(problems(minor, property, { x: 1, y: 2, z: 3 })).toEqual([message]);
  });

  test.each([
    [23, "a: FieldValueInvalid: Invalid value: 2: a in body should have at least 2 properties"],
    [24, "a: FieldValueInvalid: Invalid value: 1: a in body should have at least 2 properties"],
  ])("1.%i: a small map shows the number of its members", (minor, message) => {
    const property = { type: "object", additionalProperties: {}, minProperties: 2 };
    expect(problems(minor, property, { x: 1 })).toEqual([message]);
  });
});

test.each([
  [23, "FieldValueInvalid"],
  [24, "FieldValueTypeInvalid"],
])("1.%i: wrong types and formats are of type %s", (minor, type) => {
  expect(problems(minor, { type: "integer" }, "x")).toEqual([
    `a: ${type}: Invalid value: "string": a in body must be of type integer: "string"`,
  ]);
  expect(problems(minor, { type: "string", format: "date" }, "x")).toEqual([
    `a: ${type}: Invalid value: "x": a in body must be of type date: "x"`,
  ]);
});

test.each<[ApiLevel, string, string]>([
  ["1.23", "a", "a.b"],
  ["1.24", "a[1]", "a[1].b"],
])("%s: a list item is named %s", (level, item, member) => {
  const minor = minorOf(level);
  const lists = { type: "array", items: { type: "string" } };
  const why = 'in body must be of type string: "integer"';
  const type = minor < 24 ? "FieldValueInvalid" : "FieldValueTypeInvalid";
  const told = (field: string) => [`${field}: ${type}: Invalid value: "integer": ${field} ${why}`];
  expect(problems(minor, lists, ["x", 5])).toEqual(told(item));
  const objects = { type: "array", items: { type: "object", properties: { b: { type: "string" } } } };
  expect(problems(minor, objects, [{}, { b: 5 }])).toEqual(told(member));
  const required = { type: "array", items: { type: "object", required: ["b"] } };
  expect(problems(minor, required, [{ b: 1 }, {}])).toEqual([
    `${member}: FieldValueRequired: Required value`,
  ]);
});

test.each([
  [33, 'map[string]interface {}{"b":[]interface {}{1.5, interface {}(nil)}}'],
  [34, '{"b":[1.5,null]}'],
])("1.%i: a structure is shown as %s", (minor, text) => {
  const property = { enum: ["z"], "x-orch-preserve-unknown-fields": true };
  expect(problems(minor, property, { b: [1.5, null] })).toEqual([
    `a: FieldValueNotSupported: Unsupported value: ${text}: supported values: "z"`,
  ]);
});

test.each<[ApiLevel, string[]]>([
  ["1.27", ["a: FieldValueTooMany: Too many: 2: must have at most 1 items"]],
  [
    "1.28",
    [
      "a: FieldValueTooMany: Too many: 2: must have at most 1 items",
      'a.x: FieldValueTypeInvalid: Invalid value: "integer": a.x in body must be of type string: "integer"',
    ],
  ],
])("%s: members of an object that has too many", (level, messages) => {
  const property = { type: "object", additionalProperties: { type: "string" }, maxProperties: 1 };
  expect(problems(minorOf(level), property, { x: 1, y: "b" })).toEqual(messages);
});

test.each([
  ["string", "date", true, ""],
  ["string", "date", {}, ""],
  ["string", "date", 1, "int64"],
  ["integer", "int32", 1.5, "float64"],
  ["number", "float", false, ""],
])("a value that is not %s is reported by the format %s", (type, format, value, given) => {
  expect(problems(36, { type, format }, value)).toContain(
    `a: FieldValueTypeInvalid: Invalid value: "${given}": a in body must be of type ${format}: "${given}"`,
  );
  expect(problems(36, { type, format }, null)).toEqual([
    `a: FieldValueTypeInvalid: Invalid value: "null": a in body must be of type ${type}: "null"`,
  ]);
});

test("a part of an object has its place in the object, and texts the place in the part", () => {
  const schema = {
    type: "object",
    properties: { b: { type: "string" } },
    additionalProperties: { type: "array", items: { type: "string" } },
    not: { required: ["z"] },
  };
  const part = parseStructuralSchema(schema, "x-orch-", "1.36");
  const value = { b: 1, c: [2], z: [] };
  const found = withErrorTextsOf(36, () => validateValues(value, part, "status"));
  const errors = found.map(({ field, body }) => `${field}: ${body}`);
  expect(errors).toEqual([
    'status: Invalid value: "": "" must not validate the schema (not)',
    'status.b: Invalid value: "integer": b in body must be of type string: "integer"',
    'status.c[0]: Invalid value: "integer": .c[0] in body must be of type string: "integer"',
  ]);
});
