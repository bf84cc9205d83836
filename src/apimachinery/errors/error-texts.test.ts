import { expect, test } from "vitest";
import { validateLabels } from "../validation/labels.js";
import { validateOwnerReferences } from "../validation/owner-references.js";
import { duplicate, FieldPath, findErrors, invalid, tooLong, tooMany } from "./field-error.js";
import { printQuantity } from "./printed-quantity.js";
import { printList, printPointer, printStruct, printTime } from "./printed-structs.js";
import { PrintedValue } from "./printed-value.js";

const path = FieldPath.of("a");

const taint = printStruct("core.Taint", {
  Key: "k",
  TimeAdded: new PrintedValue("<nil>", null),
  Amount: printQuantity("1500m"),
});

test.each<[string, unknown, string, string]>([
  ["text", "x<y", '"x<y"', '"x<y"'],
  ["nothing", undefined, '"null"', "null"],
  ["texts", ["a", "b"], '[]string{"a", "b"}', '["a","b"]'],
  ["a structure", printStruct("core.A", { B: 1, C: "d" }), 'core.A{B:1, C:"d"}', '{"B":1,"C":"d"}'],
  [
    "a structure in a list",
    printList("core.Taint", [taint]),
    `[]core.Taint{${taint.text}}`,
    '[{"Key":"k","TimeAdded":null,"Amount":"1500m"}]',
  ],
  ["no list", printList("core.Taint", undefined), "[]core.Taint(nil)", "null"],
  ["a pointer", printPointer("int64", 5), "(*int64)(0xc000000000)", "5"],
  ["a time", printTime("2026-01-02T03:04:05Z"), "2026-01-02 03:04:05 +0000 UTC", '"2026-01-02T03:04:05Z"'],
  ["what has no JSON", new PrintedValue("core.A{…}"), "core.A{…}", "core.A{…}"],
])("%s is shown in Go's notation before 1.34, and in JSON since", (_what, value, inGo, inJson) => {
  const shown = (minor: number) => findErrors(() => [invalid(path, value, "")], minor).errors[0]?.body;
  expect([33, 34].map(shown)).toEqual([`Invalid value: ${inGo}`, `Invalid value: ${inJson}`]);
  const repeated = findErrors(() => [duplicate(path, value)], 34).errors[0]?.body;
  expect(repeated).toBe(`Duplicate value: ${inJson}`);
});

test("limits are told in the words of the level", () => {
  const bodies = (minor: number) =>
    findErrors(() => [tooLong(path, 1), tooMany(path, 2, 1)], minor).errors.map(({ body }) => body);
  expect([31, 32, 34].map(bodies)).toEqual([
    ["Too long: must have at most 1 bytes", "Too many: 2: must have at most 1 items"],
    ["Too long: may not be more than 1 bytes", "Too many: 2: must have at most 1 items"],
    ["Too long: may not be more than 1 byte", "Too many: 2: must have at most 1 item"],
  ]);
});

test("labels and owners are refused in the words of the level", () => {
  const labels = { "a/b/c": "v", k: "v".repeat(64) };
  const problems = (minor: number) =>
    findErrors(() => validateLabels(labels, path), minor).errors.map(({ body }) =>
      body.replace(/^Invalid value: "[^"]*": /, "").replace(/ consist of .*/, ""),
    );
  expect(problems(34)).toEqual(["a qualified name must", "must be no more than 63 characters"]);
  expect(problems(35)).toEqual(["a valid label key must", "must be no more than 63 bytes"]);

  const owner = { apiVersion: "v1", kind: "", name: "n", uid: "u" };
  const why = (minor: number) =>
    findErrors(() => validateOwnerReferences([owner], path), minor).errors[0]?.body;
  expect(why(33)).toBe('Invalid value: "": kind must not be empty');
  expect(why(34)).toBe('Invalid value: "": must not be empty');
});

test("a validation within another has the words of the outer one", () => {
  const inner = () => [...findErrors(() => [tooMany(path, 2, 1)]).errors];
  expect(findErrors(inner, 34).errors[0]?.body).toBe("Too many: 2: must have at most 1 item");
});
