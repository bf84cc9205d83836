import { expect, test } from "vitest";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { documentJson } from "./document-json.js";

const large = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, `"${index}<"`]));

test.each<[string, JsonObject]>([
  ["small", { a: 1, b: { c: [] } }],
  ["with a large map", { a: "x", large, z: {} }],
  ["with maps in a map", { components: { schemas: large, other: {} }, z: { a: { b: { c: { d: [{}] } } } } }],
  ["empty", {}],
])("JSON in pieces is that of the whole: %s", (_, document) => {
  expect([...documentJson(document)].join("")).toBe(printJson(document, { htmlEscape: false }));
});
