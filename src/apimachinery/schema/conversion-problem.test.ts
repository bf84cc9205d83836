import { expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.js";
import { type ConversionTarget, conversionProblem } from "./conversion-problem.js";

test.each<[JsonValue, ConversionTarget, string]>([
  [[], "struct", "cannot restore struct from: slice"],
  ["x", "struct", "cannot restore struct from: string"],
  [true, "map", "cannot restore map from bool"],
  [{}, "slice", "cannot restore slice from map"],
  ["x", "int32", "unrecognized type: int32"],
  [5, "string", "cannot convert int64 to v1.T"],
  [1.5, "string", "unrecognized type: string"],
  [1.5, "int64", "cannot convert float64 to v1.T"],
  [5, "bool", "unrecognized type: bool"],
  [false, "string", "unrecognized type: string"],
  [[], "string", "unrecognized type: string"],
])("%j does not become a %s: %s", (value, target, problem) => {
  expect(conversionProblem(value, target, "v1.T")).toBe(problem);
});
