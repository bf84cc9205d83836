import { expect, test } from "vitest";
import type { JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { StoredObject } from "../../../storage/object-store.js";
import { summaryOf } from "./definition-summary.js";

function summary(metadata: JsonValue, versions: JsonValue) {
  const status = {
    conditions: [],
    acceptedNames: { plural: "things", kind: "Thing" },
    storedVersions: ["v1"],
  };
  const text = JSON.stringify({
    metadata,
    spec: { group: "example.com", names: status.acceptedNames, scope: "Cluster", versions },
    status,
  });
  // Only the body is read.
  return summaryOf({ body: Buffer.from(text.slice(1)) } as StoredObject<ApiObject>);
}

const schemaOf = (description: string) => ({ openAPIV3Schema: { type: "object", description } });

test.each([
  [
    "with managed fields",
    { name: "things.example.com", managedFields: [{ manager: "a", fieldsV1: { "f:spec": {} } }] },
  ],
  ["without", { name: "things.example.com" }],
])("the schema of each version is found in the stored text: %s", (_, metadata) => {
  const { openApiSchema, outline } = summary(metadata, [
    { name: "v1", served: true, storage: true, schema: schemaOf('"schema":{}') },
    { name: "v1alpha1", served: true, storage: false },
    { name: "v1beta1", served: true, storage: false, schema: schemaOf("é") },
    { name: "v1beta2", served: true, storage: false, schema: {} },
  ]);
  expect(openApiSchema("v1")).toEqual({ type: "object", description: '"schema":{}' });
  expect(openApiSchema("v1beta1")).toEqual({ type: "object", description: "é" });
  for (const without of ["v1alpha1", "v1beta2", "v2"]) expect(openApiSchema(without)).toBeUndefined();
  expect(outline.spec.versions?.map(({ name, schema }) => [name, schema])).toEqual(
    ["v1", "v1alpha1", "v1beta1", "v1beta2"].map((name) => [name, undefined]),
  );
});

test("integers in a schema are exact", () => {
  const text = '{"type":"integer","maximum":9223372036854775807}';
  const body = `"metadata":{"name":"a"},"spec":{"group":"g","names":{},"versions":[{"name":"v1","schema":{"openAPIV3Schema":${text}}}]},"status":{"acceptedNames":{}}}`;
  const { openApiSchema } = summaryOf({ body: Buffer.from(body) } as StoredObject<ApiObject>);
  expect(openApiSchema("v1")).toEqual({ type: "integer", maximum: 9223372036854775807n });
});
