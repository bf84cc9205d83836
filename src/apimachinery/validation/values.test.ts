import { expect, test } from "vitest";
import { FieldPath } from "../errors/field-error.js";
import { validateImmutable, validateNonnegative } from "./values.js";

test("the errors of immutable and negative values", () => {
  const path = FieldPath.of("spec", "x");
  expect(validateImmutable("a", "b", path)[0]?.body).toBe('Invalid value: "a": field is immutable');
  expect(validateImmutable("a", "a", path)).toEqual([]);
  expect(validateNonnegative(-1n, path)[0]?.body).toBe(
    "Invalid value: -1: must be greater than or equal to 0",
  );
});
