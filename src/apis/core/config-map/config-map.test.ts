import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { configMaps } from "./resource.js";

const ground = kindGround(configMaps(testApiContext()));
const configMap = (fields: JsonObject): JsonObject => ({
  metadata: { name: "a", namespace: "ns" },
  ...fields,
});

test.each<[JsonObject, string[]]>([
  [{}, []],
  [{ data: { a: "1" }, binaryData: { b: "AQ==" } }, []],
  [
    { data: { a: "1" }, binaryData: { a: "AQ==" } },
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  [{ data: { "..": "1" } }, [`data[..]: Invalid value: "..": must not be '..'`]],
  [{ data: { a: "x".repeat(1024 * 1024 + 1) } }, ["[]: Too long: must have at most 1048576 bytes"]],
])("a config map %#", (fields, errors) => {
  expect(ground.createErrors(configMap(fields))).toEqual(errors);
});

test("what is immutable stays", () => {
  const old = configMap({ immutable: true, data: { a: "1" } });
  expect(ground.updateErrors(old, old)).toEqual([]);
  expect(ground.updateErrors(old, configMap({ data: { a: "2" }, binaryData: { b: "AQ==" } }))).toEqual([
    "immutable: Forbidden: field is immutable when `immutable` is set",
    "data: Forbidden: field is immutable when `immutable` is set",
    "binaryData: Forbidden: field is immutable when `immutable` is set",
  ]);
});
