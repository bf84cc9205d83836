import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { createResourceCodec } from "../../../registry/generic/resource-codec.js";
import { testApiContext } from "../../testing/api-context.js";
import { customResourceDefinitions } from "./resource.js";

const codec = createResourceCodec(customResourceDefinitions(testApiContext()), "protobuf");

function read(spec: JsonObject) {
  const stored = {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1beta1",
    metadata: { name: "boats.example.com", uid: "1", generation: 1 },
    spec: { group: "example.com", names: { plural: "boats", kind: "Boat" }, ...spec },
    status: { acceptedNames: { plural: "boats", kind: "Boat" }, storedVersions: ["v1"] },
  };
  return codec.fromStorage(Buffer.from(`${JSON.stringify(stored)}\n`));
}

const schema = { openAPIV3Schema: { type: "object" } };

test("what stands at the top of a spec of v1beta1 is that of each version", () => {
  const { spec, status } = read({
    scope: "Cluster",
    version: "v1",
    versions: [
      { name: "v1", served: true, storage: true },
      { name: "v2", served: false, storage: false },
    ],
    validation: schema,
    subresources: { status: {} },
    additionalPrinterColumns: [{ name: "Size", type: "integer", JSONPath: ".spec.size" }],
    conversion: { strategy: "None" },
    preserveUnknownFields: false,
  });
  const common = {
    schema,
    subresources: { status: {} },
    additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
  };
  expect(spec).toMatchObject({
    scope: "Cluster",
    conversion: { strategy: "None" },
    versions: [
      { name: "v1", served: true, storage: true, ...common },
      { name: "v2", served: false, storage: false, ...common },
    ],
  });
  expect(spec.preserveUnknownFields ?? false).toBe(false);
  expect(status.storedVersions).toEqual(["v1"]);
});

test("parts of single versions, and webhooks, come along", () => {
  const clientConfig = { url: "https://converter.example.com/" };
  const { spec } = read({
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema,
        additionalPrinterColumns: [{ name: "A", type: "string", JSONPath: ".a" }],
      },
    ],
    conversion: {
      strategy: "Webhook",
      webhookClientConfig: clientConfig,
      conversionReviewVersions: ["v1beta1"],
    },
    preserveUnknownFields: false,
  });
  expect(spec.conversion).toEqual({
    strategy: "Webhook",
    webhook: { clientConfig, conversionReviewVersions: ["v1beta1"] },
  });
  expect(spec.versions?.[0]).toMatchObject({ schema, additionalPrinterColumns: [{ jsonPath: ".a" }] });
});

test("a definition of one version, without schemas, keeps all fields of its objects", () => {
  const { spec } = read({ version: "v1" });
  expect(spec).toMatchObject({
    scope: "Namespaced",
    preserveUnknownFields: true,
    versions: [{ name: "v1", served: true, storage: true }],
  });
});
