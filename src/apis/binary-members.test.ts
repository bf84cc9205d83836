import { expect, test } from "vitest";
import { binaryMembers } from "../apimachinery/schema/binary-members.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import { createNaming } from "../naming/naming.js";
import { typePackages } from "./type-packages.js";

const naming = createNaming("kubernetes");
const schemas = new SchemaRegistry(typePackages, { fieldName: (neutral) => naming.field(neutral) });
const bytes = { kind: "bytes" } as const;
const each = { kind: "each", of: bytes } as const;
const members = (found: object) => ({ kind: "object", members: new Map(Object.entries(found)) });

test.each([
  ["core/v1.Secret", members({ data: each })],
  ["core/v1.ConfigMap", members({ binaryData: each })],
  [
    "admissionregistration/v1.ValidatingWebhookConfiguration",
    members({ webhooks: { kind: "each", of: members({ clientConfig: members({ caBundle: bytes }) }) } }),
  ],
  [
    "apiextensions/v1.CustomResourceDefinition",
    members({
      spec: members({
        conversion: members({ webhook: members({ clientConfig: members({ caBundle: bytes }) }) }),
      }),
    }),
  ],
  ["core/v1.Pod", undefined],
])("the bytes of %s", (name, expected) => {
  expect(binaryMembers(schemas.codec(name).schema)).toEqual(expected);
});
