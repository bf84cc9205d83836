import { expect, test } from "vitest";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { validateFullyQualifiedName } from "./names.js";

const path = FieldPath.of("name");

test.each<[ApiLevel, string, string[]]>([
  ["1.33", "a-b", ["FieldValueTypeInvalid", "FieldValueInvalid"]],
  ["1.34", "a-b", ["FieldValueInvalid", "FieldValueInvalid"]],
  ["1.35", "a-b", ["FieldValueInvalid", "FieldValueInvalid"]],
  ["1.34", "", ["FieldValueRequired"]],
  ["1.35", "", ["FieldValueInvalid", "FieldValueInvalid"]],
  ["1.34", "d.example.org/a", []],
  ["1.35", "d.example.org/a b/c", []],
  ["1.36", "d.example.org/a b/c", []],
])("level %s: %j", (level, name, types) => {
  expect(validateFullyQualifiedName(name, path, level).map(({ type }) => type)).toEqual(types);
});
