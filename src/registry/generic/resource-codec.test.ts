import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { customResourceDefinitions } from "../../apis/apiextensions/custom-resource-definition/resource.js";
import type { CustomResourceDefinition } from "../../apis/gen/apiextensions-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { toRevision } from "../../storage/kv.js";
import { encodeCreated } from "../../storage/store/encoded-write.js";
import { createResourceCodec } from "./resource-codec.js";

const definitions = customResourceDefinitions(testApiContext());
const codec = createResourceCodec(definitions, "protobuf");

function boats(): CustomResourceDefinition {
  return {
    metadata: { name: "boats.example.com", uid: "u", labels: { "a/b": "ü" }, generation: 1 },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", pattern: "<é>" } },
        },
      ],
      conversion: { strategy: "None" },
    },
    status: { acceptedNames: { plural: "", kind: "" }, storedVersions: ["v1"] },
  };
}

test("definitions are stored as JSON, whatever the form of other kinds", () => {
  const stored: unknown = JSON.parse(Buffer.from(codec.toStorage(boats())).toString("utf8"));
  expect(stored).toMatchObject({
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: "boats.example.com" },
  });
});

test("what is stored of a body is what printing the object gives", () => {
  const { bytes, stored } = encodeCreated(codec, "boats.example.com", boats());
  expect(Buffer.from(bytes).toString("utf8")).toBe(Buffer.from(codec.toStorage(boats())).toString("utf8"));
  const read = codec.fromStorage(bytes);
  codec.setResourceVersion(read, "12");
  expect(stored(toRevision(12)).body.toString("utf8")).toBe(codec.toBody(read).toString("utf8"));
});

test("a definition that was stored in protobuf is read", () => {
  const { spec } = boats();
  const former = createResourceCodec(
    { ...definitions, storage: { version: "v1", prefix: "/definitions" } },
    "protobuf",
  );
  const bytes = former.toStorage(boats());
  expect(bytes[0]).not.toBe("{".charCodeAt(0));
  expect(codec.fromStorage(bytes).spec).toEqual(spec);
});
