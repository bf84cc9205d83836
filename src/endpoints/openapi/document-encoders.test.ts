import { expect, test } from "vitest";
import { printJson } from "../../apimachinery/json-print.js";
import type { JsonObject } from "../../apimachinery/json-value.js";
import { documentJson, documentProtobuf } from "./document-encoders.js";
import { encodeMessage, message, text } from "./protobuf-shape.js";

const large = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, `"${index}<"`]));

test.each<[string, JsonObject]>([
  ["small", { a: 1, b: { c: [] } }],
  ["with a large map", { a: "x", large, z: {} }],
  ["empty", {}],
])("JSON in pieces is that of the whole: %s", async (_, document) => {
  const bytes = await documentJson(document);
  expect(Buffer.from(bytes).toString("utf8")).toBe(printJson(document, { htmlEscape: false }));
});

test("protobuf in parts has every member, in order", async () => {
  const map = { number: 2, shape: message(() => ({ fields: {}, others: { number: 1, shape: text } })) };
  const shape = message(() => ({ fields: { large: map } }));
  const encode = (part: JsonObject) => encodeMessage(part, shape);
  const bytes = Buffer.from(await documentProtobuf({ large }, encode));
  const found = [...bytes.toString("latin1").matchAll(/"(\d+)<"/g)].map(([, index]) => Number(index));
  expect(found).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
