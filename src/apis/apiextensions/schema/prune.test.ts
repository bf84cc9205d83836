import { expect, test } from "vitest";
import type { JsonValue } from "../../../apimachinery/json-value.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { testApiContext } from "../../testing/api-context.js";
import { prune } from "./prune.js";

const context = testApiContext();
const prefix = context.naming.extensionPrefix;
const codec = context.schemas.codec<JSONSchemaProps>("apiextensions/v1.JSONSchemaProps");
const preserve = { [`${prefix}preserve-unknown-fields`]: true };
const embedded = { [`${prefix}embedded-resource`]: true };

function dropped(
  schema: JsonValue,
  value: JsonValue,
  isResource = false,
): { value: JsonValue; paths: string[] } {
  const paths: string[] = [];
  const kept = prune(value, codec.fromJson(schema), {
    prefix,
    isResource,
    onDrop: (path) => paths.push(path),
  });
  return { value: kept, paths };
}

const a = { properties: { a: { type: "integer" } } };

test.each([
  ["what is known stays", a, { a: 1 }, { a: 1 }, []],
  ["what is not known goes", a, { a: 1, b: 2 }, { a: 1 }, ["b"]],
  ["scalars are not looked at", a, 3, 3, []],
  ["in lists too", { items: a }, [{ a: 1, b: 2 }, { b: 3 }], [{ a: 1 }, {}], ["[0].b", "[1].b"]],
  [
    "maps have fields of any name",
    { additionalProperties: a },
    { x: { a: 1, b: 2 } },
    { x: { a: 1 } },
    ["x.b"],
  ],
  [
    "of which nothing may be known",
    { additionalProperties: true },
    { x: { a: 1 }, y: 2 },
    { x: {}, y: 2 },
    ["x.a"],
  ],
  ["unknown fields may be wanted", { ...a, ...preserve }, { a: 1, b: { c: 2 } }, { a: 1, b: { c: 2 } }, []],
  [
    "without wanting those of known ones",
    { properties: { a }, ...preserve },
    { a: { a: 1, b: 2 }, b: 1 },
    { a: { a: 1 }, b: 1 },
    ["a.b"],
  ],
  [
    "a list of wanted unknown things has items that are known in part",
    { items: { properties: { x: a } }, ...preserve },
    [{ x: { a: 1, b: 2 }, y: 1 }],
    [{ x: { a: 1 }, y: 1 }],
    ["[0].x.b"],
  ],
  [
    "an embedded object keeps its metadata",
    { properties: { o: { ...a, ...embedded } } },
    { o: { kind: "K", apiVersion: "v1", metadata: { name: "n" }, a: 1, b: 2 } },
    { o: { kind: "K", apiVersion: "v1", metadata: { name: "n" }, a: 1 } },
    ["o.b"],
  ],
])("%s", (_what, schema, value, kept, paths) => {
  expect(dropped(schema, value)).toEqual({ value: kept, paths });
});

test("an object keeps its metadata", () => {
  const object = { kind: "K", apiVersion: "v1", metadata: { name: "n" }, b: 2 };
  expect(dropped(a, object, true).paths).toEqual(["b"]);
  expect(dropped(a, object).paths).toEqual(["kind", "apiVersion", "metadata", "b"]);
});
