import { expect, test } from "vitest";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { errorTexts } from "../testing/kind-under-test.js";
import { hasWrongValues, validateNodeSelector } from "./node-selector.js";

const selectorOf = (value: string) => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a", value] }] }],
});
const path = FieldPath.of("selector");
const problem =
  /^selector\.nodeSelectorTerms\[0\]\.matchExpressions\[0\]\.values\[1\]: Invalid value: "b c": a valid label/;

test("values are those of labels unless any may be there", () => {
  expect(errorTexts(validateNodeSelector(selectorOf("b c"), path, { anyValues: false }))).toEqual([
    expect.stringMatching(problem),
  ]);
  expect(validateNodeSelector(selectorOf("b c"), path, { anyValues: true })).toEqual([]);
  expect(validateNodeSelector(selectorOf("b"), path, { anyValues: false })).toEqual([]);
  expect([
    hasWrongValues(selectorOf("b c")),
    hasWrongValues(selectorOf("b")),
    hasWrongValues(undefined),
  ]).toEqual([true, false, false]);
});
