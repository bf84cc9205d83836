import { describe, expect, test } from "vitest";
import { applyConfiguration, keptFields } from "./apply-configuration.ts";
import type { JsonObject } from "./json.ts";
import { Schema } from "./schema.ts";

// The names of extensions come from the server; without a session they have no prefix.
const pods = new Schema(
  {
    type: "object",
    properties: {
      spec: {
        properties: {
          containers: {
            type: "array",
            "list-type": "map",
            "list-map-keys": ["name", "port"],
            items: {
              properties: { name: {}, port: { default: 80 }, image: {}, args: { type: "array", items: {} } },
            },
          },
          tags: { type: "array", "list-type": "set", items: { type: "string" } },
          selector: { "map-type": "atomic", type: "object", additionalProperties: { type: "string" } },
        },
      },
    },
  },
  {},
);

const base: JsonObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "team", resourceVersion: "7", labels: { a: "1", b: "2" } },
  spec: {
    containers: [
      { name: "main", image: "nginx", args: ["-x"] },
      { name: "main", port: 81, image: "other" },
    ],
    tags: ["one", "two"],
    selector: { app: "web", tier: "front" },
    replicas: 3n,
  },
  status: { phase: "Running" },
};
const head = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "team" } };

function withSpec(change: JsonObject, from: JsonObject = base): JsonObject {
  return { ...from, spec: { ...(from.spec as JsonObject), ...change } };
}

/** As the console's own apply records it. */
function owning(fieldsV1: JsonObject): JsonObject {
  const metadata = base.metadata as JsonObject;
  const entry = { manager: "console", operation: "Apply", fieldsType: "FieldsV1", fieldsV1 };
  return { ...base, metadata: { ...metadata, managedFields: [entry] } };
}

describe("what is applied", () => {
  test("nothing but the name, for an edit that changes nothing", () => {
    expect(applyConfiguration(base, base, pods)).toEqual(head);
  });

  test("a value, and the way to it", () => {
    expect(applyConfiguration(base, withSpec({ replicas: 4n }), pods)).toEqual({
      ...head,
      spec: { replicas: 4n },
    });
  });

  test("labels by themselves, and nothing of the server's metadata", () => {
    const metadata = {
      name: "web",
      namespace: "team",
      resourceVersion: "8",
      labels: { a: "1", b: "3", c: "4" },
    };
    const applied = applyConfiguration(base, { ...base, metadata, status: { phase: "x" } }, pods);
    expect(applied).toEqual({ ...head, metadata: { ...head.metadata, labels: { b: "3", c: "4" } } });
  });

  test("the changed items of a list of maps, by their keys", () => {
    const [main, other] = (base.spec as { containers: JsonObject[] }).containers;
    const containers = [{ ...main, image: "nginx:2" }, other, { name: "side", image: "s" }] as JsonObject[];
    expect(applyConfiguration(base, withSpec({ containers }), pods)).toEqual({
      ...head,
      spec: {
        containers: [
          { name: "main", image: "nginx:2" },
          { name: "side", image: "s" },
        ],
      },
    });
  });

  test("an item whose key is the default is the same with and without it", () => {
    const [main, other] = (base.spec as { containers: JsonObject[] }).containers;
    const containers = [{ ...main, port: 80n, image: "nginx:2" }, other] as JsonObject[];
    expect(applyConfiguration(base, withSpec({ containers }), pods)).toEqual({
      ...head,
      spec: { containers: [{ name: "main", port: 80n, image: "nginx:2" }] },
    });
  });

  test("new values of a set; a map that belongs together, and a list without a type, as a whole", () => {
    const edited = withSpec({ tags: ["one", "two", "three"], selector: { app: "web", tier: "back" } });
    expect(applyConfiguration(base, edited, pods).spec).toEqual({
      tags: ["three"],
      selector: { app: "web", tier: "back" },
    });
    expect(applyConfiguration(base, withSpec({ tags: ["one"] }), undefined).spec).toEqual({ tags: ["one"] });
  });

  test("what the console applied before stays applied, and what is gone of it is not", () => {
    const owned = owning({
      "f:spec": {
        "f:replicas": {},
        "f:tags": { 'v:"two"': {} },
        "f:containers": { 'k:{"name":"main","port":80}': { ".": {}, "f:name": {}, "f:image": {} } },
        "f:gone": {},
      },
    });
    expect(applyConfiguration(owned, base, pods)).toEqual({
      ...head,
      spec: { replicas: 3n, tags: ["two"], containers: [{ name: "main", image: "nginx" }] },
    });
  });

  test("all of a new object", () => {
    const { status: _, ...made } = base;
    const { resourceVersion: __, ...metadata } = base.metadata as JsonObject;
    expect(applyConfiguration({}, { ...made, metadata }, pods)).toEqual({ ...made, metadata });
  });
});

test("fields that an apply leaves are named", () => {
  const edited = withSpec({ tags: ["two"], containers: [{ name: "main", image: "nginx" }] });
  const spec = { ...(edited.spec as Record<string, never>) };
  delete spec.replicas;
  expect(keptFields(base, { ...edited, spec }, base, pods)).toEqual([
    '.spec.containers["main",80].args',
    '.spec.containers["main",81]',
    '.spec.tags["one"]',
    ".spec.replicas",
  ]);
  expect(keptFields(base, base, base, pods)).toEqual([]);
  // Fields that no other manager owns are removed from the object.
  expect(keptFields(base, { ...edited, spec }, { ...edited, spec }, pods)).toEqual([]);
});

test("lists of the largest objects take no longer than they are long", () => {
  const long = (image: string) =>
    withSpec({
      containers: Array.from({ length: 20_000 }, (_, index) => ({ name: `c${index}`, image })),
      tags: Array.from({ length: 20_000 }, (_, index) => `${image}${index}`),
    });
  const [before, after] = [long("a"), long("b")];
  expect(applyConfiguration(before, after, pods).spec).toEqual({
    containers: (after.spec as { containers: JsonObject[] }).containers,
    tags: (after.spec as { tags: string[] }).tags,
  });
  expect(keptFields(before, withSpec({ containers: [], tags: [] }), before, pods)).toHaveLength(40_000);
});
