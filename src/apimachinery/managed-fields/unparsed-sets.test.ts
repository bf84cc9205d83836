import { expect, test } from "vitest";
import { printJson, unparsedText } from "../json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import { setsEqual } from "./field-set.js";
import { parseFieldSet } from "./read-field-set.js";
import { parseExceptSets } from "./unparsed-sets.js";
import { writeFieldSet } from "./write-field-set.js";

const names = (prefix: string): JsonObject =>
  Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${prefix}${i}`, {}]));
const entry = (manager: string, fieldsV1: JsonObject): JsonObject => ({
  manager,
  operation: "Update",
  fieldsV1,
});
const large: JsonObject = {
  "f:data": { ".": {}, ...names("f:k") },
  'k:{"name":"a\\"b"}': { ".": {}, "f:x": {} },
};
const small: JsonObject = { "f:data": { "f:a": {} } };
const escaped: JsonObject = { "f:data": names("f:<") };

function bodyOf(object: JsonObject): Buffer {
  return Buffer.from(printJson(object)).subarray(1);
}

function setsOf(value: JsonValue): (JsonValue | undefined)[] {
  const metadata = isJsonObject(value) ? value.metadata : undefined;
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined;
  return isJsonArray(entries) ? entries.map((each) => (isJsonObject(each) ? each.fieldsV1 : undefined)) : [];
}

test("large field sets are left as text, and print as they were", () => {
  const object = {
    metadata: {
      annotations: { text: '"managedFields":[{"fieldsV1":{}}]' },
      managedFields: [entry("a", small), entry("b", large), entry("c", escaped), entry("d", large)],
      name: "x",
    },
    data: { fieldsV1: "{", last: "ü" },
  };
  const value = parseExceptSets(bodyOf(object));
  const [first, second, third, fourth] = setsOf(value);
  expect(first).toEqual(small);
  expect(third).toEqual(escaped);
  for (const set of [second, fourth]) {
    if (!isJsonObject(set)) throw new Error("a set is an object");
    expect(unparsedText(set)).toBe(printJson(large));
    expect(setsEqual(parseFieldSet(set), parseFieldSet(large))).toBe(true);
    expect(printJson(writeFieldSet(parseFieldSet(set)))).toBe(printJson(writeFieldSet(parseFieldSet(large))));
  }
  expect(printJson(value)).toBe(printJson(object));
});

test.each<JsonObject>([
  { kind: "A", metadata: { managedFields: [entry("a", large)] } },
  { metadata: { managedFields: [entry("a", large)] }, kind: "A" },
])("metadata may be anywhere", (object) => {
  const value = parseExceptSets(bodyOf(object));
  const [set] = setsOf(value);
  expect(isJsonObject(set) && unparsedText(set)).toBe(printJson(large));
  expect(printJson(value)).toBe(printJson(object));
});

test.each<JsonObject>([
  { metadata: {} },
  { metadata: { name: "a" }, managedFields: [entry("a", large)] },
  { data: { a: "b" } },
  { metadata: { managedFields: [] }, spec: {} },
])("objects without large sets are read as they are: %j", (object) => {
  expect(parseExceptSets(bodyOf(object))).toEqual(object);
});
