import { expect, test } from "vitest";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import type { StoredObject } from "../../storage/object-store.js";
import { storedMetadata } from "./stored-metadata.js";

function read(object: object): ObjectMeta {
  const body = Buffer.from(JSON.stringify(object).slice(1));
  // All that is read of a stored object.
  return storedMetadata({ body } as unknown as StoredObject<ApiObject>);
}

const managedFields = [{ manager: "kubectl", fieldsV1: { "f:data": { "f:}": {} } } }];

test.each([
  ["with managed fields", { name: "a", uid: "u", managedFields }, { name: "a", uid: "u" }],
  ["with nothing but managed fields", { managedFields }, {}],
  ["without managed fields", { name: "a", finalizers: ["x"] }, { name: "a", finalizers: ["x"] }],
  ["empty", {}, {}],
  [
    "with a text like managed fields",
    { annotations: { a: '"managedFields":[' }, uid: "u" },
    { annotations: { a: '"managedFields":[' }, uid: "u" },
  ],
])("reads metadata %s", (_, metadata, expected) => {
  expect(read({ metadata, spec: { a: { managedFields } }, managedFields })).toEqual(expected);
});

test("reads an object without metadata", () => {
  expect(read({ data: {} })).toEqual({});
});
