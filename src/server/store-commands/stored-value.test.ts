import { describe, expect, test } from "vitest";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { builtinResources } from "../../apis/builtin-resources.js";
import { typePackages } from "../../apis/type-packages.js";
import { createNaming } from "../../naming/naming.js";
import { StoredKinds } from "./stored-kinds.js";
import { decodeStoredValue, encodeStoredValue, StoredValueError } from "./stored-value.js";

const orch = createNaming("orch");
const kubernetes = createNaming("kubernetes");
const kinds = new StoredKinds(kubernetes);

async function roundTrip(bytes: Uint8Array, format: "json" | "yaml"): Promise<Uint8Array> {
  const text = await decodeStoredValue(bytes, kinds, format);
  return await encodeStoredValue(Buffer.from(text), kinds, "protobuf");
}

test("a namespace is the bytes that Kubernetes' encoder writes", async () => {
  const text = `apiVersion: v1
kind: Namespace
metadata: {name: a, resourceVersion: "7", selfLink: /x}
spec: {finalizers: [f]}
`;
  const meta = [0x0a, 1, 0x61, 0x12, 0, 0x1a, 0, 0x22, 0, 0x2a, 0, 0x32, 0, 0x38, 0, 0x42, 0, 0x7a, 0];
  const raw = [0x0a, meta.length, ...meta, 0x12, 3, 0x0a, 1, 0x66, 0x1a, 2, 0x0a, 0];
  const expected = encodeEnvelope({ apiVersion: "v1", kind: "Namespace" }, Uint8Array.from(raw));
  expect(Buffer.from(await encodeStoredValue(Buffer.from(text), kinds, "protobuf"))).toEqual(expected);
});

const definitions = builtinResources({
  naming: kubernetes,
  level: "1.23",
  schemas: new SchemaRegistry(typePackages, { fieldName: (neutral) => kubernetes.field(neutral) }),
  isEnabled: () => true,
  options: { allowPrivileged: true, eventTtlSeconds: 3600 },
  now: () => new Date(),
});
const versions = definitions
  .filter((definition) => definition.storage !== undefined)
  .flatMap(({ group, kind, versions }) =>
    versions.map(({ version }) => ({ apiVersion: group === "" ? version : `${group}/${version}`, kind })),
  );

test.each(versions)(
  "$apiVersion $kind goes through text and back unchanged",
  async ({ apiVersion, kind }) => {
    const labels = { yes: "on", "a/b": "0123" };
    const object = { apiVersion, kind, metadata: { name: "x", namespace: "n", labels } };
    for (const mediaType of ["protobuf", "json"] as const) {
      const bytes = await encodeStoredValue(Buffer.from(JSON.stringify(object)), kinds, mediaType);
      expect(JSON.parse(await decodeStoredValue(bytes, kinds, "json"))).toMatchObject(object);
      for (const format of ["json", "yaml"] as const) {
        const again = await decodeStoredValue(bytes, kinds, format);
        expect(await encodeStoredValue(Buffer.from(again), kinds, mediaType)).toEqual(bytes);
      }
    }
  },
);

test("what is stored without being a resource, and the other profile's objects, are read too", async () => {
  const allocation = '{"apiVersion":"v1","kind":"RangeAllocation","range":"10.0.0.0/24","data":"AAE="}';
  const bytes = await encodeStoredValue(Buffer.from(allocation), kinds, "protobuf");
  expect(await roundTrip(bytes, "yaml")).toEqual(bytes);

  const apiVersion = `${orch.group("coordination")}/v1`;
  const lease = JSON.stringify({ apiVersion, kind: "Lease", metadata: { name: "l" } });
  const stored = await encodeStoredValue(Buffer.from(lease), kinds, "protobuf");
  expect(stored[0]).toBe(0x6b);
  expect(JSON.parse(await decodeStoredValue(stored, kinds, "json")).apiVersion).toBe(apiVersion);
});

test("a custom resource is JSON with sorted keys, as Kubernetes prints a map", async () => {
  const text = "kind: Widget\napiVersion: example.com/v1\nspec: {z: 1, a: <b>}\nmetadata: {name: w}\n";
  const bytes = await encodeStoredValue(Buffer.from(text), kinds, "protobuf");
  const stored =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"a":"\\u003cb\\u003e","z":1}}\n';
  expect(Buffer.from(bytes).toString()).toBe(stored);
  expect(await decodeStoredValue(bytes, kinds, "yaml")).toContain("a: <b>\n");
});

test("document separators around a single document do no harm", async () => {
  const text =
    "# a comment\n---\napiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    ---\n    x\n---\n# the end\n";
  const bytes = await encodeStoredValue(Buffer.from(text), kinds, "protobuf");
  expect(JSON.parse(await decodeStoredValue(bytes, kinds, "json")).data).toEqual({ a: "---\nx\n" });
});

test("the newline that tools print after a value does no harm", async () => {
  const bytes = await encodeStoredValue(Buffer.from('{"apiVersion":"v1","kind":"Pod"}'), kinds, "protobuf");
  const printed = Buffer.concat([bytes, Buffer.from("\n")]);
  expect(await decodeStoredValue(printed, kinds, "json")).toContain('"kind": "Pod"');
});

describe("input that is not a stored value is reported as such", () => {
  const envelope = (apiVersion: string, kind: string) =>
    encodeEnvelope({ apiVersion, kind }, new Uint8Array());
  test.each([
    ["encrypted", Buffer.from("k8s:enc:aescbc:v1:key1:xyz"), /encrypted \(provider aescbc, key "key1"\)/],
    ["text", Buffer.from("hello"), /neither a stored object in the binary form nor JSON/],
    ["a number", Buffer.from("1"), /no object/],
    ["an unknown kind", envelope("v1", "Moon"), /Moon of v1 is no type that this version knows/],
    ["a custom resource in the binary form", envelope("example.com/v1", "W"), /no type that this version/],
    ["one without a kind", envelope("", ""), /damaged: it does not say its kind/],
    ["one that ends before its kind", Buffer.from([0x6b, 0x38, 0x73, 0]), /damaged: empty body/],
    ["a cut one", envelope("v1", "Pod").subarray(0, 12), /damaged/],
  ])("%s", async (_name, bytes, message) => {
    const decoding = decodeStoredValue(bytes, kinds, "json");
    await expect(decoding).rejects.toThrow(message);
    await expect(decoding).rejects.toBeInstanceOf(StoredValueError);
  });

  test.each([
    ["no kind", '{"apiVersion":"v1"}', /does not say its apiVersion and kind/],
    ["an unknown field", '{"apiVersion":"v1","kind":"Pod","spec":{"x":1}}', /Pod has no field "spec.x"/],
    ["a wrong type", '{"apiVersion":"v1","kind":"Pod","spec":1}', /this is no Pod/],
    ["an unknown version", '{"apiVersion":"apps/v9","kind":"Deployment"}', /no type that this version knows/],
    ["no YAML", "a: [", /neither JSON nor YAML/],
    ["a list", '{"apiVersion":"v1","kind":"List","items":[]}', /List is a list: each of its items is stored/],
    ["two objects", "---\na: b\n--- # next\nc: d\n", /more than one object/],
  ])("text with %s", async (_name, text, message) => {
    await expect(encodeStoredValue(Buffer.from(text), kinds, "protobuf")).rejects.toThrow(message);
  });
});
