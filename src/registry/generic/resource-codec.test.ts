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

test("schemas stay text until they are asked for, and are written as they were read", () => {
  const body = codec.toBody(boats());
  const read = codec.fromBody(body);
  read.status.acceptedNames.plural = "boats";
  const written = codec.toBody(read).toString("utf8");
  expect(written).toBe(body.toString("utf8").replace('"plural":"","kind":""', '"plural":"boats","kind":""'));
  const [version] = read.spec.versions ?? [];
  expect(Object.getOwnPropertyDescriptor(version, "schema")?.get).toBeDefined();
  expect(version?.schema).toEqual({ openAPIV3Schema: { type: "object", pattern: "<é>" } });
  expect(Object.getOwnPropertyDescriptor(version, "schema")?.get).toBeUndefined();
  expect(codec.toBody(read).toString("utf8")).toBe(written);
});

test("a schema that was not read can be replaced, removed and copied", () => {
  const body = codec.toBody(boats());
  const versionOf = (definition: CustomResourceDefinition) => definition.spec.versions?.[0];
  const replaced = codec.fromBody(body);
  Object.assign(versionOf(replaced) ?? {}, { schema: { openAPIV3Schema: { type: "string" } } });
  expect(codec.fromBody(codec.toBody(replaced)).spec.versions?.[0]?.schema?.openAPIV3Schema?.type).toBe(
    "string",
  );
  const removed = codec.fromBody(body);
  delete versionOf(removed)?.schema;
  expect(codec.toBody(removed).includes('"schema"')).toBe(false);
  expect({ ...versionOf(codec.fromBody(body)) }).toEqual(versionOf(boats()));
});

test("the schemas of several versions come back to their versions, with exact numbers", () => {
  const [version] = boats().spec.versions ?? [];
  const versions = [
    { name: "v1alpha1", schema: '{"openAPIV3Schema":{"type":"object","default":12345678901234567890}}' },
    { name: "v1beta1" },
    { name: "v1", schema: '{"openAPIV3Schema":{"description":"\\"schema\\":{}"}}' },
  ];
  const definition = boats();
  definition.spec.versions = versions.map(({ name }) => ({ ...version, name, served: true, storage: false }));
  for (const one of definition.spec.versions) delete one.schema;
  let text = codec.toBody(definition).toString("utf8");
  for (const { name, schema } of versions) {
    const head = `"name":"${name}","served":true,"storage":false`;
    if (schema !== undefined) text = text.replace(head, `${head},"schema":${schema}`);
  }
  const body = Buffer.from(text);
  expect(codec.toBody(codec.fromBody(body)).equals(body)).toBe(true);
  const read = codec.fromBody(body).spec.versions ?? [];
  expect(read.map(({ schema }) => schema?.openAPIV3Schema?.default)).toEqual([
    12345678901234567890n,
    undefined,
    undefined,
  ]);
  expect(read[2]?.schema?.openAPIV3Schema?.description).toBe('"schema":{}');
});

test("a stored definition in another server's text form is read as a whole", () => {
  const stored = JSON.parse(Buffer.from(codec.toStorage(boats())).toString("utf8"));
  const read = codec.fromStorage(Buffer.from(JSON.stringify(stored, undefined, 2)));
  expect(read.spec).toEqual(boats().spec);
  expect(codec.toBody(read).equals(codec.toBody(boats()))).toBe(true);
});
