import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { volumeAttributesClasses } from "./resource.js";

const kind = kindUnderTest(volumeAttributesClasses(testApiContext({ level: "1.35" })));
const json = { metadata: { name: "gold" }, driverName: "Example.org", parameters: { iops: "4000" } };

test.each([
  ["parameters", { a: "" }, []],
  ["parameters", {}, ["parameters: Required value: must contain at least one key/value pair"]],
  ["parameters", { "": "b" }, ['parameters: Invalid value: "": field can not be empty.']],
  ["driverName", "", ["driverName: Required value"]],
  [
    "driverName",
    "a b",
    [expect.stringContaining('driverName: Invalid value: "a b": name part must consist')],
  ],
])("%s %j", (path, value, errors) => {
  expect(kind.create(changed(json, path, value)).errors).toEqual(errors);
});

test("nothing of a class changes", () => {
  const other = { ...json, driverName: "other.example.org", parameters: { iops: "8000" } };
  expect(kind.update(other, json).errors).toEqual([
    "driverName: Forbidden: updates to driverName are forbidden.",
    "parameters: Forbidden: updates to parameters are forbidden.",
  ]);
});
