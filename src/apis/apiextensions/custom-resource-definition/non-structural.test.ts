import { expect, test } from "vitest";
import { shownCharactersMax } from "../../../apimachinery/errors/printed-value.js";
import type { CustomResourceDefinition } from "../../gen/apiextensions-v1.js";
import { nonStructuralCondition } from "./non-structural.js";

function definition(preserveUnknownFields: boolean, openAPIV3Schema: object): CustomResourceDefinition {
  return {
    spec: {
      preserveUnknownFields,
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as CustomResourceDefinition; // as much of one as is looked at
}

const good = { type: "object", properties: { a: { type: "string" } } };

test.each([
  [false, good, undefined],
  [true, good, "spec.preserveUnknownFields: Invalid value: true: must be false"],
  [
    true,
    { type: "object", properties: { a: {} } },
    "[spec.preserveUnknownFields: Invalid value: true: must be false, spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields]",
  ],
])("a definition that keeps unknown fields: %s, with the schema %j", (keeps, schema, message) => {
  const condition = nonStructuralCondition(definition(keeps, schema), "x-keep-");
  expect(condition?.message).toBe(message);
  if (message !== undefined) expect(condition).toMatchObject({ status: "True", reason: "Violations" });
});

test("of many violations as many are named as an error shows", () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `p${i}`);
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const { message = "" } = nonStructuralCondition(definition(true, schema), "x-keep-") ?? {};
  expect(message.length).toBeLessThan(2 * shownCharactersMax);
  expect(message).toMatch(/, and more than \d+ more errors\]$/);
});

test("of a schema with unsupported parts nothing is known", () => {
  const schema = { type: "object", properties: { a: { $ref: "#/b" } } };
  expect(nonStructuralCondition(definition(true, schema), "x-keep-")).toMatchObject({
    type: "NonStructuralSchema",
    status: "Unknown",
    reason: "StructuralError",
    message: "failed to check validation schema for version v1: OpenAPIV3Schema '$ref' is not supported",
  });
});
