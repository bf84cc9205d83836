import { expect, test } from "vitest";
import { printCbor } from "../../apimachinery/cbor/print-cbor.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { typePackages } from "../../apis/type-packages.js";
import { createNaming } from "../../naming/naming.js";
import { acceptedAsJson, asJsonType, BodyReader } from "./body-reader.js";

const naming = createNaming("orch");
const schemas = new SchemaRegistry(typePackages, { fieldName: (neutral) => naming.field(neutral) });
const reader = new BodyReader({
  schemas,
  yaml: new YamlConverter(),
  groupStem: (group) => naming.groupStem(group),
});

function protobuf(apiVersion: string, kind: string, message: string, value: object): Uint8Array {
  const codec = schemas.codec(message);
  return encodeEnvelope({ apiVersion, kind }, codec.toProto(codec.fromJson({ ...value })));
}

const role = { metadata: { name: "a" }, rules: [{ verbs: ["get"], resources: ["pods"] }] };

test.each([
  ["application/json", Buffer.from('{"a":1}'), { a: 1 }],
  ["application/merge-patch+json; charset=utf-8", Buffer.from('{"a":null}'), { a: null }],
  ["application/yaml", Buffer.from("a:\n- 1\n"), { a: [1] }],
  ["application/apply-patch+yaml", Buffer.from('{"a":1}'), { a: 1 }],
  ["application/cbor", printCbor({ a: 1 }), { a: 1 }],
  ["application/apply-patch+cbor", printCbor({ a: 1 }), { a: 1 }],
  [
    "application/vnd.orch.protobuf",
    protobuf(`${naming.group("rbac.authorization")}/v1`, "Role", "rbac/v1.Role", role),
    { kind: "Role", apiVersion: `${naming.group("rbac.authorization")}/v1`, ...role },
  ],
  [
    "application/vnd.kubernetes.protobuf",
    protobuf("v1", "SecretList", "core/v1.SecretList", { items: [{ metadata: { name: "s" } }] }),
    { kind: "SecretList", apiVersion: "v1", items: [{ metadata: { name: "s" } }] },
  ],
  [
    "application/vnd.kubernetes.protobuf",
    protobuf("apps/v1", "DeleteOptions", "meta/v1.DeleteOptions", { gracePeriodSeconds: 0 }),
    { kind: "DeleteOptions", apiVersion: "apps/v1", gracePeriodSeconds: 0 },
  ],
])("reads a body of %s", async (mediaType, bytes, value) => {
  expect(await reader.read(bytes, mediaType)).toMatchObject(value);
});

test.each([
  ["application/json", Buffer.from("{")],
  ["application/yaml", Buffer.from("a: [")],
  ["application/cbor", Buffer.from([0xff])],
  ["application/vnd.orch.protobuf", Buffer.from("x")],
  ["application/vnd.orch.protobuf", encodeEnvelope({ apiVersion: "v1", kind: "Boat" }, new Uint8Array())],
])("refuses a body that is no %s, or of no known type", async (mediaType, bytes) => {
  await expect(reader.read(bytes, mediaType)).rejects.toThrow();
});

test("names the media type of the same as JSON", () => {
  expect(asJsonType("application/vnd.kubernetes.protobuf")).toBe("application/json");
  expect(asJsonType("application/apply-patch+cbor")).toBe("application/apply-patch+yaml");
  expect(asJsonType("application/json-patch+json")).toBe("application/json-patch+json");
  expect(asJsonType(undefined)).toBeUndefined();
});

test("asks for the same form, as JSON", () => {
  expect(
    acceptedAsJson(
      "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    ),
  ).toBe("application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
  expect(acceptedAsJson("application/vnd.kubernetes.protobuf,*/*;q=0.5")).toBeUndefined();
  expect(acceptedAsJson(undefined)).toBeUndefined();
});
