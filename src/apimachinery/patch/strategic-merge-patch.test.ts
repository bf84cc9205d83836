import fc from "fast-check";
import { expect, test } from "vitest";
import { shownCharactersMax } from "../errors/printed-value.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { PatchError, type PatchErrorKind } from "./patch-error.js";
import { applyStrategicMergePatch, newestRules, type StrategicMergeRules } from "./strategic-merge-patch.js";
import { exampleDeclarations, linkExample } from "./testing/example-types.js";

const schema = linkExample(exampleDeclarations, "example/v1.Workload");

function patchSpec(spec: JsonObject, patch: JsonObject): JsonValue | undefined {
  return applyStrategicMergePatch({ spec }, { spec: patch }, schema).spec;
}

const a = { name: "a", image: "a:1" };
const b = { name: "b", image: "b:1" };
const c = { name: "c", image: "c:1" };

const cases: [string, JsonObject, JsonObject, JsonObject][] = [
  ["scalars are set", { replicas: 1 }, { replicas: 2 }, { replicas: 2 }],
  ["null deletes", { replicas: 1, args: ["x"] }, { replicas: null }, { args: ["x"] }],
  ["null of an absent field is nothing", {}, { replicas: null }, {}],
  [
    "messages merge",
    { strategy: { type: "A" } },
    { strategy: { rollingUpdate: { maxSurge: 1 } } },
    { strategy: { type: "A", rollingUpdate: { maxSurge: 1 } } },
  ],
  ["lists without a strategy are replaced", { args: ["x", "y"] }, { args: ["z"] }, { args: ["z"] }],
  [
    "lists merge by key, new items go in front",
    { containers: [a] },
    { containers: [b] },
    { containers: [b, a] },
  ],
  [
    "an item is merged where it stands",
    { containers: [a, b, c] },
    { containers: [{ name: "b", image: "b:2" }] },
    { containers: [a, { name: "b", image: "b:2" }, c] },
  ],
  [
    "items are deleted",
    { containers: [a, b] },
    { containers: [{ name: "a", $patch: "delete" }] },
    { containers: [b] },
  ],
  [
    "deleting what is not there is nothing",
    { containers: [a] },
    { containers: [{ name: "b", $patch: "delete" }] },
    { containers: [a] },
  ],
  [
    "a list is replaced by directive",
    { containers: [a, b] },
    { containers: [{ $patch: "replace" }, c] },
    { containers: [c] },
  ],
  [
    "a message is replaced by directive",
    { strategy: { type: "A" } },
    { strategy: { $patch: "replace", rollingUpdate: {} } },
    { strategy: { rollingUpdate: {} } },
  ],
  [
    "a message is emptied by directive",
    { strategy: { type: "A" } },
    { strategy: { $patch: "delete" } },
    { strategy: {} },
  ],
  [
    "lists merge inside items",
    { containers: [{ name: "a", ports: [{ containerPort: 80 }] }] },
    { containers: [{ name: "a", ports: [{ containerPort: 81 }] }] },
    { containers: [{ name: "a", ports: [{ containerPort: 81 }, { containerPort: 80 }] }] },
  ],
  [
    "retainKeys clears the other fields",
    { strategy: { type: "A", rollingUpdate: { maxSurge: 1 } } },
    { strategy: { $retainKeys: ["type"], type: "B" } },
    { strategy: { type: "B" } },
  ],
  [
    "what has a directive is left out of a new list with an order",
    {},
    { containers: [a, { name: "b", $patch: "delete" }], "$setElementOrder/containers": [{ name: "a" }] },
    { containers: [a] },
  ],
  [
    "other directives of a new message are its fields",
    {},
    { strategy: { $retainKeys: ["type"], type: "B", rollingUpdate: null } },
    { strategy: { $retainKeys: ["type"], type: "B" } },
  ],
  [
    "a new item is taken as it is",
    { containers: [a] },
    { containers: [{ name: "b", image: null, ports: [{ containerPort: 80, $patch: "delete" }] }] },
    { containers: [{ name: "b", image: null, ports: [{ containerPort: 80, $patch: "delete" }] }, a] },
  ],
  [
    "what replaces is taken as it is",
    { weights: { b: 2 } },
    { weights: { $patch: "replace", a: null } },
    { weights: { a: null } },
  ],
  [
    "primitives are deleted from any list",
    { args: ["x", "y"] },
    { "$deleteFromPrimitiveList/args": ["x"] },
    { args: ["y"] },
  ],
  [
    "a list is deleted by the deletion of no primitives",
    { args: ["x", "y"] },
    { "$deleteFromPrimitiveList/args": null },
    {},
  ],
  [
    "directives of a map are carried out",
    { weights: { b: 2 } },
    { weights: { $patch: "replace", a: 1 } },
    { weights: { a: 1 } },
  ],
  [
    "a free-form value merges",
    { extra: { x: { y: [1] } } },
    { extra: { x: { y: [2], z: 1 } } },
    { extra: { x: { y: [2], z: 1 } } },
  ],
  [
    "the type of a value may change",
    { extra: { x: [1] } },
    { extra: { x: { y: 1 } } },
    { extra: { x: { y: 1 } } },
  ],
  ["an unknown field is left to decoding", {}, { odd: { x: 1 } }, { odd: { x: 1 } }],
  [
    "the order is enforced",
    { containers: [a, b] },
    { containers: [c], "$setElementOrder/containers": [{ name: "c" }, { name: "b" }, { name: "a" }] },
    { containers: [c, b, a] },
  ],
  [
    "what the order does not name keeps its place, in front of an item that takes a deleted one's",
    { containers: [b, a, c] },
    {
      containers: [{ name: "d" }, { name: "b", $patch: "delete" }],
      "$setElementOrder/containers": [{ name: "a" }, { name: "d" }],
    },
    { containers: [a, c, { name: "d" }] },
  ],
  [
    "the order alone reorders",
    { containers: [a, b, c] },
    { "$setElementOrder/containers": [{ name: "c" }, { name: "a" }] },
    { containers: [b, c, a] },
  ],
  ["an order of what is gone is nothing", {}, { "$setElementOrder/containers": [{ name: "a" }] }, {}],
];
test.each(cases)("%s", (_name, original, patch, expected) => {
  const before = JSON.stringify([original, patch]);
  expect(patchSpec(original, patch)).toEqual(expected);
  expect(JSON.stringify([original, patch])).toBe(before);
});

const finalizerCases: [string, JsonObject, JsonObject, JsonValue][] = [
  ["lists of scalars merge as sets", { finalizers: ["a", "b"] }, { finalizers: ["c", "a"] }, ["c", "a", "b"]],
  [
    "scalars are deleted",
    { finalizers: ["a", "b", "c"] },
    { "$deleteFromPrimitiveList/finalizers": ["b"] },
    ["a", "c"],
  ],
  [
    "scalars are deleted, added and ordered",
    { finalizers: ["a", "b"] },
    {
      "$deleteFromPrimitiveList/finalizers": ["a"],
      "$setElementOrder/finalizers": ["c", "b"],
      finalizers: ["c"],
    },
    ["c", "b"],
  ],
  [
    "server-only items keep their place",
    { finalizers: ["s", "a", "b"] },
    { "$setElementOrder/finalizers": ["b", "a"] },
    ["s", "b", "a"],
  ],
];
test.each(finalizerCases)("%s", (_name, original, patch, expected) => {
  const result = applyStrategicMergePatch({ metadata: original }, { metadata: patch }, schema);
  expect(result).toEqual({ metadata: { finalizers: expected } });
});

const leftOut: [string, JsonObject, JsonObject, JsonObject][] = [
  ["a new message", {}, { strategy: { $patch: "replace", type: "A" } }, {}],
  [
    "a message in a new one",
    {},
    { strategy: { type: "A", rollingUpdate: { $patch: "delete" } } },
    { strategy: { type: "A" } },
  ],
  ["items of a new list", {}, { containers: [a, { $patch: "delete", name: "b" }] }, { containers: [a] }],
  [
    "items of a new list with an order",
    {},
    { containers: [a, { $patch: "other", name: "b" }], "$setElementOrder/containers": [{ name: "a" }] },
    { containers: [a] },
  ],
  [
    "nothing that the object has",
    { strategy: { type: "A" } },
    { strategy: { $patch: "replace", type: "B" } },
    { strategy: { type: "B" } },
  ],
];
test.each(leftOut)("what has a directive is left out of what is new: %s", (_name, spec, patch, expected) => {
  expect(patchSpec(spec, patch)).toEqual(expected);
});

test.each<[string, StrategicMergeRules, JsonObject]>([
  ["1.23", { discardsNulls: false, leavesOutDirected: false }, { labels: { $patch: "replace", a: null } }],
  ["1.24", { discardsNulls: true, leavesOutDirected: false }, { labels: { $patch: "replace" } }],
  ["1.28", newestRules, {}],
])("nulls and directives of a new map, from %s on", (_level, rules, metadata) => {
  const patch = { metadata: { labels: { $patch: "replace", a: null } } };
  expect(applyStrategicMergePatch({}, patch, schema, rules)).toEqual({ metadata });
});

test("before 1.28, items to delete are stored in a new list", () => {
  const containers = [{ name: "b", $patch: "delete" }];
  const rules = { discardsNulls: true, leavesOutDirected: false };
  for (const order of [{}, { "$setElementOrder/containers": [{ name: "b" }] }]) {
    const patch = { spec: { containers, ...order } };
    expect(applyStrategicMergePatch({ spec: {} }, patch, schema, rules)).toEqual({ spec: { containers } });
  }
});

test("before 1.28, primitives to delete replace a list that does not merge", () => {
  const rules = { discardsNulls: true, leavesOutDirected: false };
  const patch = { spec: { "$deleteFromPrimitiveList/args": ["x"] } };
  expect(applyStrategicMergePatch({ spec: { args: ["x", "y"] } }, patch, schema, rules)).toEqual({
    spec: { args: ["x"] },
  });
});

test("maps of strings merge key by key", () => {
  expect(
    applyStrategicMergePatch(
      { metadata: { labels: { a: "1", b: "2" } } },
      { metadata: { labels: { b: null, c: "3" } } },
      schema,
    ),
  ).toEqual({ metadata: { labels: { a: "1", c: "3" } } });
});

const refused: [string, JsonObject, JsonObject, PatchErrorKind, string][] = [
  [
    "an item without its key",
    { containers: [a] },
    { containers: [{}] },
    "failed",
    "map: map[] does not contain declared merge key: name",
  ],
  [
    "a deletion without the key",
    { containers: [a] },
    { containers: [{ $patch: "delete", image: "x" }] },
    "failed",
    "map: map[$patch:delete image:x] does not contain declared merge key: name",
  ],
  [
    "an unknown directive",
    { strategy: {} },
    { strategy: { $patch: "append" } },
    "failed",
    "unknown patch type: append in map: map[$patch:append]",
  ],
  [
    "an unknown directive in a list",
    { containers: [a] },
    { containers: [{ $patch: "append" }] },
    "failed",
    "unknown patch type: append in map: map[$patch:append]",
  ],
  [
    "merge in a list",
    { containers: [a] },
    { containers: [{ $patch: "merge" }] },
    "failed",
    "merging lists cannot yet be specified in the patch",
  ],
  [
    "retainKeys that is no list",
    { strategy: {} },
    { strategy: { $retainKeys: "type" } },
    "malformed",
    "invalid patch format of retainKeys",
  ],
  [
    "a field that retainKeys does not name",
    { strategy: {} },
    { strategy: { $retainKeys: ["type"], rollingUpdate: {} } },
    "malformed",
    "invalid patch format of retainKeys",
  ],
  [
    "an order of no list",
    {},
    { $setElementOrder: [] },
    "malformed",
    "invalid patch format of setElementOrder list",
  ],
  [
    "an order of an unknown list",
    {},
    { "$setElementOrder/odd": [] },
    "failed",
    'unable to find api field in struct Spec for the json field "odd"',
  ],
  [
    "an order that contradicts the patch",
    { containers: [a] },
    { containers: [b, c], "$setElementOrder/containers": [{ name: "c" }, { name: "b" }] },
    "failed",
    "doesn't match $setElementOrder list",
  ],
  [
    "a mix of kinds",
    { containers: [a] },
    { containers: ["a"] },
    "failed",
    "list element types are not identical",
  ],
  [
    "a list that is deleted and ordered",
    { containers: [a] },
    { containers: null, "$setElementOrder/containers": [] },
    "failed",
    "expected a []interface {}, but received a %!s(<nil>)",
  ],
  [
    "an order that is no list",
    { containers: [a] },
    { "$setElementOrder/containers": { name: "a" } },
    "failed",
    "expected a []interface {}, but received a map[string]interface {}",
  ],
  [
    "an order of scalars for a list of objects",
    { containers: [a] },
    { "$setElementOrder/containers": ["a"] },
    "failed",
    "value for key 0 is not a map",
  ],
  [
    "an order without merge keys",
    { containers: [a] },
    { "$setElementOrder/containers": [{ image: "a" }] },
    "failed",
    "map: map[image:a] does not contain declared merge key: name",
  ],
  [
    "an order of nothing",
    {},
    { containers: [], "$setElementOrder/containers": [] },
    "failed",
    "no elements in any of the given slices",
  ],
  [
    "a directive that is no text",
    { strategy: {} },
    { strategy: { $patch: null } },
    "failed",
    "unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]",
  ],
  [
    "lists of lists",
    { containers: [a] },
    { containers: [["a"]] },
    "failed",
    "list element types are not identical",
  ],
];
test.each(refused)("refuses %s", (_name, original, patch, kind, message) => {
  let thrown: unknown;
  try {
    patchSpec(original, patch);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(PatchError);
  expect(thrown).toMatchObject({ kind, message: expect.stringContaining(message) });
});

test("a patch must be an object, and not too deep", () => {
  expect(() => applyStrategicMergePatch({}, [], schema)).toThrow(
    "json: cannot unmarshal array into Go value of type map[string]interface {}",
  );
  expect(applyStrategicMergePatch({ a: 1 }, null, schema)).toEqual({ a: 1 });
  let deep: JsonValue = {};
  for (let depth = 0; depth < 50_000; depth++) deep = { extra: deep };
  expect(() => applyStrategicMergePatch({}, deep, schema)).toThrow("nested more than 1000 levels");
});

test("a field named __proto__ is ordinary data", () => {
  const patch: JsonObject = JSON.parse(
    '{"metadata":{"labels":{"__proto__":"x"}},"spec":{"extra":{"__proto__":{"y":1}}}}',
  );
  const result = applyStrategicMergePatch({ metadata: { labels: { a: "b" } } }, patch, schema);
  expect(JSON.stringify(result)).toBe(
    '{"metadata":{"labels":{"a":"b","__proto__":"x"}},"spec":{"extra":{"__proto__":{"y":1}}}}',
  );
});

const name = fc.constantFrom("a", "b", "c", "d");
const image = fc.constantFrom("1", "2");
const containers = fc
  .uniqueArray(name, { maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((n) => fc.record({ name: fc.constant(n), image }))));

test("a patch made from two lists leads from one to the other, and again to the same", () => {
  fc.assert(
    fc.property(containers, containers, (from, to) => {
      // Kubernetes refuses an order of nothing.
      fc.pre(from.length + to.length > 0 && to.length > 0);
      const gone = from.filter((item) => !to.some((other) => other.name === item.name));
      const patch = {
        containers: [...to, ...gone.map((item) => ({ $patch: "delete", name: item.name }))],
        "$setElementOrder/containers": to.map((item) => ({ name: item.name })),
      };
      const once = patchSpec({ containers: from }, patch);
      expect(once).toEqual({ containers: to });
      expect(patchSpec({ containers: to }, patch)).toEqual({ containers: to });
    }),
  );
});

test("any patch is idempotent", () => {
  const item = fc.oneof(
    fc.record({ name, image }),
    fc.record({ name, $patch: fc.constant("delete") }),
    fc.record({ name, image: fc.constant(null) }),
  );
  const spec = fc.record(
    {
      replicas: fc.option(fc.nat(3)),
      containers: fc.uniqueArray(item, { selector: (entry) => entry.name, maxLength: 3 }),
      strategy: fc.record({ type: fc.option(fc.constantFrom("A", "B")) }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(containers, spec, (original, patch) => {
      // Null and absent are the same for decoding.
      const decoded = (value: JsonValue | undefined): JsonObject =>
        JSON.parse(JSON.stringify(value, (_key, member) => member ?? undefined));
      const once = decoded(patchSpec({ containers: original, replicas: 1 }, patch));
      expect(decoded(patchSpec(once, patch))).toEqual(once);
    }),
  );
});

test.each([
  ["merged", {}],
  ["merged in an order", { "$setElementOrder/containers": range((i) => ({ name: `c${2 * i}` })) }],
])("long lists are %s", (_what, directives) => {
  const document = { spec: { containers: range((i) => ({ name: `c${i}`, image: "old" })) } };
  const containers = range((i) => ({ name: `c${2 * i}`, image: "new" }));
  const patch = { spec: { ...directives, containers } };
  const merged = applyStrategicMergePatch(document, patch, schema);
  const inPatch = new Map(containers.map((container) => [container.name, container]));
  const all = [...document.spec.containers.map(({ name }) => name), ...inPatch.keys()];
  const expected = new Map(all.map((name) => [name, inPatch.get(name) ?? { name, image: "old" }]));
  const { spec } = merged as { readonly spec: { readonly containers: readonly { readonly name: string }[] } };
  expect(new Map(spec.containers.map((container) => [container.name, container]))).toEqual(expected);
  expect(spec.containers).toHaveLength(expected.size);
});

test("a mistake in a long list is shown as far as errors show values", () => {
  const items = [...range((i) => ({ name: `c${i}`, image: "x".repeat(100) })), "c"];
  let message = "";
  try {
    patchSpec({ containers: [a] }, { containers: items });
  } catch (error) {
    message = String(error);
  }
  expect(message).toMatch(/list element types are not identical: \[\[map\[/);
  expect(message.length).toBeLessThan(1.1 * shownCharactersMax);
});

function range<T>(make: (index: number) => T): T[] {
  return Array.from({ length: 5000 }, (_, index) => make(index));
}
