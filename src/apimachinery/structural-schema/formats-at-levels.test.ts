import { expect, test } from "vitest";
import { withErrorTextsOf } from "../errors/error-texts.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { type ApiLevel, minorOf } from "../levels/api-level.js";
import { parseStructuralSchema } from "./parse-schema.js";
import { ratchetedErrors, validateValues } from "./validate-values.js";

function schemaAt(level: ApiLevel, property: JsonObject) {
  return parseStructuralSchema({ type: "object", properties: { a: property } }, "x-orch-", level);
}

function problems(level: ApiLevel, property: JsonObject, value: JsonValue): string[] {
  const errors = validateValues({ a: value }, schemaAt(level, property));
  return errors.map(({ field, body }) => `${field}: ${body}`);
}

test.each(["k8s-short-name", "orch-short-name"])("names have the format %s since 1.34", (format) => {
  const property = { type: "string", format };
  expect(problems("1.33", property, "A_")).toEqual([]);
  expect(problems("1.34", property, "a-1")).toEqual([]);
  const error = `a: Invalid value: "A_": a in body must be of type ${format}: "A_"`;
  expect(problems("1.34", property, "A_")).toEqual([error]);
  expect(problems("1.34", property, "a".repeat(64))).toHaveLength(1);
});

test("long names may have segments of any length, and 253 characters", () => {
  const property = { type: "string", format: "k8s-long-name" };
  expect(problems("1.34", property, `${"a".repeat(100)}.b`)).toEqual([]);
  expect(problems("1.34", property, "a..b")).toHaveLength(1);
  expect(problems("1.34", property, "a".repeat(254))).toHaveLength(1);
});

test.each([
  [{ type: "integer" }, "number", "integer", "(default format)"],
  [{ type: "integer", format: "other" }, "number", "integer", "(default format)"],
  [{ type: "integer", format: "int32" }, "float64", "int32", "with format int32"],
])("what is no integer is told twice since 1.36: %j", (property, actual, type, how) => {
  const told = (level: ApiLevel) => withErrorTextsOf(minorOf(level), () => problems(level, property, 1.5));
  const wrong = (given: string, wanted: string) =>
    `a: Invalid value: "${given}": a in body must be of type ${wanted}: "${given}"`;
  expect(told("1.35")).toEqual([wrong("number", "integer")]);
  expect(told("1.36")).toEqual([
    wrong(actual, type),
    `<nil>: Invalid value: "": Checked value must be of type integer ${how} in a`,
  ]);
});

test("numbers are in the range of their format since 1.36", () => {
  const int32 = { type: "integer", format: "int32" };
  expect(problems("1.35", int32, 2 ** 31)).toEqual([]);
  expect(problems("1.36", int32, 2 ** 31)).toEqual([
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a',
  ]);
  expect(problems("1.36", int32, -(2 ** 31))).toEqual([]);
  expect(problems("1.36", { type: "number", format: "int32" }, 2 ** 31)).toEqual([]);
  expect(problems("1.36", { type: "number", format: "float" }, 1e300)).toHaveLength(1);
  expect(problems("1.36", { type: "number", format: "double" }, 1e300)).toEqual([]);
  const schema = schemaAt("1.36", int32);
  expect(ratchetedErrors({ a: 2 ** 40 }, { a: 2 ** 40 }, schema)).toEqual([]);
  expect(ratchetedErrors({ a: 2 ** 40 }, { a: 1 }, schema)).toHaveLength(1);
});
