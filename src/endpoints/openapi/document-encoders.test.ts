import { expect, test } from "vitest";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { documentJson, documentProtobuf } from "./document-encoders.js";
import { encodeMessage, message, text } from "./protobuf-shape.js";

const large = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, `"${index}<"`]));

test.each<[string, JsonObject]>([
  ["small", { a: 1, b: { c: [] } }],
  ["with a large map", { a: "x", large, z: {} }],
  ["with maps in a map", { components: { schemas: large, other: {} }, z: { a: { b: { c: { d: [{}] } } } } }],
  ["empty", {}],
])("JSON in pieces is that of the whole: %s", (_, document) => {
  expect([...documentJson(document)].join("")).toBe(printJson(document, { htmlEscape: false }));
});

test("protobuf in parts has every member, in order", () => {
  const map = { number: 2, shape: message(() => ({ fields: {}, others: { number: 1, shape: text } })) };
  const shape = message(() => ({ fields: { large: map } }));
  const encode = (part: JsonObject) => encodeMessage(part, shape);
  const bytes = Buffer.concat([...documentProtobuf({ large }, encode)]);
  const found = [...bytes.toString("latin1").matchAll(/"(\d+)<"/g)].map(([, index]) => Number(index));
  expect(found).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test("components keep their maps apart in protobuf", () => {
  const components = { schemas: large, parameters: { p: "q" } };
  const encoded: JsonObject[] = [];
  const encode = (part: JsonObject): Uint8Array => {
    encoded.push(part);
    return new Uint8Array();
  };
  expect([...documentProtobuf({ openapi: "3.0.0", components }, encode)]).toHaveLength(encoded.length);
  expect(encoded.length).toBeGreaterThan(3);
  const merged = encoded.flatMap((part) => Object.entries(part.components ?? {}));
  expect(merged.map(([name]) => name)).toEqual([...Array(encoded.length - 2).fill("schemas"), "parameters"]);
  expect(Object.assign({}, ...merged.map(([name, map]) => (name === "schemas" ? map : {})))).toEqual(large);
});
