import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { customSchema } from "./custom-schema.js";
import type { Dialect } from "./dialect.js";

const naming = createNaming("kubernetes");
const objectFields = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: {} };
const preserves = { "x-kubernetes-preserve-unknown-fields": true };
const embedded = { "x-kubernetes-embedded-resource": true };
const text = { type: "string" };

/** A property of a custom resource's schema, as a document shows it. */
async function shown(dialect: Dialect, property: JsonObject, level: ApiLevel = "1.23"): Promise<unknown> {
  const schema = { type: "object", properties: { one: property } };
  const described = await customSchema(schema, { dialect, naming, objectFields, level });
  return (described.properties as JsonObject).one;
}

test.each<Dialect>(["v2", "v3"])("examples and links are shown since 1.36: %s", async (dialect) => {
  const property = { ...text, example: "a", externalDocs: { url: "https://example.com" } };
  expect(await shown(dialect, property, "1.35")).toEqual(text);
  expect(await shown(dialect, property, "1.36")).toEqual(property);
});

describe("a schema in Swagger", () => {
  test.each<{ name: string; given: JsonObject; expected: JsonObject }>([
    {
      name: "says of an object with unknown fields neither type nor properties: kubectl would refuse nulls in it",
      given: { type: "object", ...preserves, properties: { a: text }, required: ["a"] },
      expected: { ...preserves, required: ["a"] },
    },
    {
      name: "has no list without items",
      given: { type: "array", ...preserves, items: text },
      expected: { ...preserves },
    },
    {
      name: "gives a value that may be null no type",
      given: { type: "object", nullable: true, properties: { a: text } },
      expected: {},
    },
    {
      name: "requires no property that may be null",
      given: {
        type: "object",
        required: ["a", "b"],
        properties: { a: { ...text, nullable: true }, b: text },
      },
      expected: { type: "object", required: ["b"], properties: { a: {}, b: text } },
    },
    {
      name: "requires nothing of a map whose values may be null",
      given: { type: "object", required: ["a"], additionalProperties: { ...text, nullable: true } },
      expected: { type: "object", additionalProperties: {} },
    },
    {
      name: "leaves an embedded object with unknown fields open",
      given: { type: "object", ...embedded, ...preserves },
      expected: { ...embedded, ...preserves },
    },
    {
      name: "has no alternatives, examples or links",
      given: { ...text, oneOf: [{}], example: "a", externalDocs: { url: "https://example.com" } },
      expected: text,
    },
  ])("$name", async ({ given, expected }) => {
    expect(await shown("v2", given)).toEqual(expected);
  });

  test("is open when the resource keeps all unknown fields: kubectl would refuse them beside properties", async () => {
    const schema = { type: "object", description: "d", ...preserves, properties: { spec: text } };
    expect(await customSchema(schema, { dialect: "v2", naming, objectFields, level: "1.23" })).toEqual({
      type: "object",
    });
    expect(await customSchema(schema, { dialect: "v3", naming, objectFields, level: "1.23" })).toEqual({
      ...schema,
      properties: { spec: text, ...objectFields },
    });
  });
});

test.each<Dialect>(["v2", "v3"])("%s: an embedded object has the fields of every object", async (dialect) => {
  const list = {
    type: "array",
    items: { type: "object", ...embedded, required: ["kind"], properties: { spec: text } },
  };
  expect(await shown(dialect, list)).toEqual({
    type: "array",
    items: {
      type: "object",
      ...embedded,
      required: ["kind", "apiVersion"],
      properties: { spec: text, ...objectFields },
    },
  });
});

const either = [{ type: "integer" }, text];
const rest = { minimum: 42 };
const intOrString = { "x-kubernetes-int-or-string": true };

test.each<{ name: string; given: JsonObject; expected: JsonObject }>([
  { name: "nothing", given: {}, expected: { anyOf: either } },
  { name: "both types", given: { anyOf: either }, expected: { anyOf: either } },
  {
    name: "both types and more",
    given: { allOf: [{ anyOf: either }, rest] },
    expected: { allOf: [{ anyOf: either }, rest] },
  },
  { name: "more", given: { allOf: [rest] }, expected: { allOf: [rest], anyOf: either } },
  {
    name: "alternatives",
    given: { anyOf: [rest] },
    expected: { anyOf: [rest], allOf: [{ anyOf: either }] },
  },
  {
    name: "alternatives and more",
    given: { anyOf: [rest], allOf: [rest] },
    expected: { anyOf: [rest], allOf: [{ anyOf: either }, rest] },
  },
])("OpenAPI says what an integer or string is that declares $name", async ({ given, expected }) => {
  expect(await shown("v3", { ...intOrString, ...given })).toEqual({ ...intOrString, ...expected });
  expect(await shown("v2", { ...intOrString, ...given })).toEqual(intOrString);
});

test("without a schema nothing is known", async () => {
  expect(await customSchema({}, { dialect: "v3", naming, objectFields, level: "1.23" })).toEqual({
    type: "object",
  });
});
