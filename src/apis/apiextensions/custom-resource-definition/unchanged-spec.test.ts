import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { DeferredMember, deferMember } from "../../../apimachinery/schema/deferred-member.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { customResourceDefinitions } from "./resource.js";
import { type DefinitionValidationParts, definitionErrors } from "./validation.js";

const context = testApiContext();
const crd = kindUnderTest(customResourceDefinitions(context));
const metaCodec = context.schemas.codec<ObjectMeta>("meta/v1.ObjectMeta");
const parts: DefinitionValidationParts = {
  naming: context.naming,
  level: context.level,
  readMeta: (value) => metaCodec.fromJson(value),
};

// Stored before its pattern became invalid.
const json: JsonObject = {
  metadata: { name: "boats.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "boats", kind: "Boat" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { a: { type: "string", pattern: "(" } } } },
      },
    ],
  },
};

test("an update that shares the stored spec does not validate it again, one that brings an equal one does", () => {
  const { object: old } = crd.create(json);
  const metadata = { ...old.metadata, labels: { a: "b" } };
  expect(definitionErrors({ ...old, metadata }, old, parts)).toEqual([]);
  const brought = { ...old, metadata, spec: structuredClone(old.spec) };
  expect(definitionErrors(brought, old, parts).map(({ field }) => field)).toEqual([
    "spec.validation.openAPIV3Schema.properties[a].pattern",
  ]);
});

test("an update that shares the stored spec does not read its schemas", () => {
  const { object: old } = crd.create(json);
  for (const version of old.spec.versions ?? []) {
    deferMember(version, "schema", new DeferredMember("{}"), () => {
      throw new Error("the schema is read");
    });
  }
  const metadata = { ...old.metadata, finalizers: [] };
  expect(definitionErrors({ ...old, metadata }, old, parts)).toEqual([]);
});
