import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { exampleDeclarations, linkExample } from "../patch/testing/example-types.js";
import { deducedType, MergeTypes } from "../schema/merge-type.js";
import { structType } from "../schema/testing/struct-type.js";
import { checkTyped } from "./check-typed.js";
import { compareTyped, isSame } from "./compare-typed.js";
import { extractSet } from "./extract-set.js";
import type { FieldSet } from "./field-set.js";
import { mergeTyped } from "./merge-typed.js";
import { printPath } from "./path-element.js";
import { reconcileSet, removeItems } from "./remove-items.js";
import { pathsOf } from "./written-order.js";

const type = new MergeTypes({ mayOmitKeys: false }).of(
  linkExample(exampleDeclarations, "example/v1.Workload"),
);

function texts(set: FieldSet): string[] {
  return pathsOf(set).map(printPath).sort();
}

test("leaves, items and keys of maps are extracted, atomic values as a whole", () => {
  const set = extractSet(
    {
      apiVersion: "example/v1",
      metadata: { name: "x", labels: { a: "b" }, annotations: {}, finalizers: ["f"] },
      spec: {
        replicas: null,
        selector: { matchLabels: { a: "b" } },
        strategy: {},
        containers: [{ name: "c", ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }] }],
        args: ["x"],
        weights: { a: 1 },
        extra: { a: { b: [1], c: {} } },
      },
    },
    type,
  );
  expect(texts(set)).toEqual(
    [
      ".apiVersion",
      ".metadata.name",
      ".metadata.labels.a",
      ".metadata.annotations",
      '.metadata.finalizers[="f"]',
      ".spec.replicas",
      ".spec.selector",
      ".spec.strategy",
      '.spec.containers[name="c"]',
      '.spec.containers[name="c"].name',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"]',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"].containerPort',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="UDP"]',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="UDP"].containerPort',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="UDP"].protocol',
      ".spec.args",
      ".spec.weights",
      ".spec.extra.a",
      ".spec.extra.a.b",
      ".spec.extra.a.c",
    ].sort(),
  );
});

const comparisons: [string, JsonObject, JsonObject, string[], string[], string[]][] = [
  ["nothing", { spec: { replicas: 1 } }, { spec: { replicas: 1 } }, [], [], []],
  ["a scalar", { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, [], [".spec.replicas"], []],
  [
    "what is new is owned at every level",
    { metadata: {} },
    { metadata: { labels: { a: "b" } } },
    [".metadata.labels", ".metadata.labels.a"],
    [],
    [],
  ],
  [
    "what a map gains",
    { metadata: { labels: { a: "b" } } },
    { metadata: { labels: { a: "b", c: "d" } } },
    [".metadata.labels.c"],
    [],
    [],
  ],
  [
    "what goes",
    { metadata: { labels: { a: "b" } } },
    { metadata: {} },
    [],
    [],
    [".metadata.labels", ".metadata.labels.a"],
  ],
  [
    "messages that are always there are not new",
    {},
    { spec: { strategy: { type: "A" } } },
    [".spec.strategy.type"],
    [],
    [],
  ],
  [
    "nor are lists that are always written",
    {},
    { spec: { containers: [{ name: "a" }] } },
    ['.spec.containers[name="a"]', '.spec.containers[name="a"].name', '.spec.containers[name="a"].resources'],
    [],
    [],
  ],
  ["messages that are always there may be left out", { spec: { strategy: {} } }, {}, [], [], []],
  [
    "an optional message is new",
    {},
    { spec: { strategy: { rollingUpdate: {} } } },
    [".spec.strategy.rollingUpdate"],
    [],
    [],
  ],
  [
    "atomic messages",
    { spec: { selector: { matchLabels: { a: "b" } } } },
    { spec: { selector: { matchLabels: { a: "c" } } } },
    [],
    [".spec.selector"],
    [],
  ],
  [
    "atomic maps and lists",
    { spec: { weights: { a: 1 }, args: ["a"] } },
    { spec: { weights: { a: 2 }, args: ["b"] } },
    [],
    [".spec.args", ".spec.weights"],
    [],
  ],
  [
    "items that moved are the same",
    { spec: { containers: [{ name: "a" }, { name: "b" }] } },
    { spec: { containers: [{ name: "b" }, { name: "a" }] } },
    [],
    [],
    [],
  ],
  [
    "an item that changed",
    { spec: { containers: [{ name: "a", image: "1" }, { name: "b" }] } },
    { spec: { containers: [{ name: "b" }, { name: "a", image: "2" }] } },
    [],
    ['.spec.containers[name="a"].image'],
    [],
  ],
  [
    "an omitted key is its default",
    { spec: { containers: [{ name: "a", ports: [{ containerPort: 80 }] }] } },
    { spec: { containers: [{ name: "a", ports: [{ containerPort: 80, protocol: "TCP" }] }] } },
    ['.spec.containers[name="a"].ports[containerPort=80,protocol="TCP"].protocol'],
    [],
    [],
  ],
  [
    "sets",
    { metadata: { finalizers: ["a", "b"] } },
    { metadata: { finalizers: ["b", "c"] } },
    ['.metadata.finalizers[="c"]'],
    [],
    ['.metadata.finalizers[="a"]'],
  ],
  [
    "free-form values",
    { spec: { extra: { a: 1, b: [1] } } },
    { spec: { extra: { a: { x: 1 }, b: [2] } } },
    [".spec.extra.a.x"],
    [".spec.extra.a", ".spec.extra.b"],
    [],
  ],
];
test.each(comparisons)("compares %s", (_name, left, right, added, modified, removed) => {
  const comparison = compareTyped(left, right, type, "refused");
  expect(texts(comparison.added)).toEqual(added);
  expect(texts(comparison.modified)).toEqual(modified);
  expect(texts(comparison.removed)).toEqual(removed);
  expect(isSame(comparison)).toBe(added.length + modified.length + removed.length === 0);
});

test("a set that names an item twice cannot be compared", () => {
  expect(() =>
    compareTyped({ metadata: {} }, { metadata: { finalizers: ["a", "a"] } }, type, "refused"),
  ).toThrow('duplicate entries for key [="a"]');
});

test("several items of one name can be taken as one value", () => {
  const of = (...containers: JsonObject[]): JsonObject => ({ spec: { containers } });
  const [a, b, other] = [
    { name: "a", image: "1" },
    { name: "a", image: "2" },
    { name: "b", image: "3" },
  ] as const;
  const [item, image] = ['.spec.containers[name="a"]', '.spec.containers[name="a"].image'];
  const name = '.spec.containers[name="a"].name';
  // The defaulted key is always present, so it is added and removed with its item.
  const resources = '.spec.containers[name="a"].resources';
  const compared: [JsonObject, JsonObject, string[], string[], string[]][] = [
    [of(a, b, other), of(other, a, b), [], [], []],
    [of(a, b), of(b, a), [], [item], []],
    [of(a, b), of(a, { ...b, image: "4" }), [], [item], []],
    [of(a, b), of(a), [image, name, resources], [item], []],
    [of(a), of(a, b), [], [item], [image, name, resources]],
    [of(other), of(other, a, b), [item], [], []],
    [of(other, a, b), of(other), [], [], [item]],
  ];
  for (const [left, right, added, modified, removed] of compared) {
    const comparison = compareTyped(left, right, type, "whole");
    expect([texts(comparison.added), texts(comparison.modified), texts(comparison.removed)]).toEqual([
      added,
      modified,
      removed,
    ]);
  }
  expect(mergeTyped(of(a, other, b), of(other), type)).toEqual(of(a, other, b));
  expect(mergeTyped(of(a, other, b), of({ name: "a" }), type)).toEqual(of({ name: "a" }, other));
  expect(
    mergeTyped({ metadata: { finalizers: ["x", "x"] } }, { metadata: { finalizers: ["x"] } }, type),
  ).toEqual({ metadata: { finalizers: ["x"] } });
  expect(() => checkTyped(of(a, b), type, true)).not.toThrow();
});

test("an item without a key that is always written has the zero value as key; without another it has no name", () => {
  const value = { spec: { containers: [{ image: "x" }] } };
  expect(texts(extractSet(value, type))).toContain('.spec.containers[name=""].image');
  const text = { kind: "scalar", scalar: "string" } as const;
  const list = {
    kind: "list",
    relation: "map",
    keys: ["id", "name"],
    mayOmitKeys: false,
    element: structType(new Map([["name", text]])),
  } as const;
  expect(() => checkTyped([{ id: "a" }], list)).toThrow(
    'element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
  );
  const lenient = { ...list, mayOmitKeys: true };
  expect(texts(extractSet([{ id: "a" }, { id: "a", name: "b" }], lenient))).toEqual([
    '[id="a",name="b"]',
    '[id="a",name="b"].id',
    '[id="a",name="b"].name',
    '[id="a"]',
    '[id="a"].id',
  ]);
  expect(() => checkTyped([{}], lenient)).toThrow(
    'element 0: associative list with keys has an element that omits all key fields ["id" "name"] (and doesn\'t have default values for any key fields)',
  );
});

const invalid: [JsonObject, string][] = [
  [{ spec: { odd: 1 } }, ".spec.odd: field not declared in schema"],
  [{ spec: { replicas: "1" } }, ".spec.replicas: expected numeric (int or float), got string"],
  [{ spec: { args: "x" } }, ".spec.args: expected list, got &{x}"],
  [{ spec: { strategy: [] } }, ".spec.strategy: expected map, got &{[]}"],
  [
    { spec: { strategy: { rollingUpdate: { maxSurge: [1] } } } },
    ".spec.strategy.rollingUpdate.maxSurge: expected any scalar, got &{[1]}",
  ],
  [{ metadata: { name: 1 } }, ".metadata.name: expected string, got &value.valueUnstructured{Value:1}"],
  [
    { spec: { containers: [null] } },
    ".spec.containers: element 0: associative list with keys may not have a null element",
  ],
  [
    { spec: { containers: [{ name: "a" }, { name: "a" }] } },
    '.spec.containers: duplicate entries for key [name="a"]',
  ],
  [{ metadata: { finalizers: ["a", "a"] } }, '.metadata.finalizers: duplicate entries for key [="a"]'],
  [
    { spec: { containers: [{ name: "a", ports: [{ containerPort: "x" }] }] } },
    '.spec.containers[name="a"].ports[containerPort="x",protocol="TCP"].containerPort: expected numeric (int or float), got string',
  ],
  [
    { spec: { args: "x", odd: 1, more: 2 } },
    "errors:\n  .spec.args: expected list, got &{x}\n  .spec.odd: field not declared in schema",
  ],
];
test.each(invalid)("%j does not fit", (object, message) => {
  expect(() => checkTyped(object, type)).toThrow(expect.objectContaining({ message }));
});

test("what fits", () => {
  const object: JsonObject = {
    spec: {
      numbers: [9007199254740993n],
      strategy: { rollingUpdate: { maxSurge: "25%" } },
      extra: { anything: [{ goes: null }] },
      containers: [{ name: "a", resources: { limits: { cpu: 1, memory: "1Gi" } } }],
    },
  };
  expect(() => checkTyped(object, type)).not.toThrow();
  expect(() => checkTyped({ a: [1, "x"] }, deducedType)).not.toThrow();
});

test.each([
  ["abcd", "xdb", "acxdb"],
  ["abd", "abcd", "abcd"],
  ["ab", "ba", "ba"],
  ["abc", "ca", "bca"],
  ["bc", "ac", "bac"],
  ["ab", "", "ab"],
  ["", "ba", "ba"],
  ["abcde", "edx", "abcedx"],
])("items %s with %s applied come as %s", (live, applied, expected) => {
  const of = (names: string) => ({ spec: { containers: [...names].map((name) => ({ name })) } });
  expect(mergeTyped(of(live), of(applied), type)).toEqual(of(expected));
});

test("merging takes values and order from what is applied, and keeps the rest", () => {
  const live = {
    metadata: { labels: { a: "1" } },
    spec: { containers: [{ name: "a", image: "1" }, { name: "b" }], args: ["x", "y"], weights: { a: 1 } },
  };
  const applied = {
    metadata: { labels: { b: "2" } },
    spec: { containers: [{ name: "c" }, { name: "a", image: "2" }], args: ["z"], weights: { b: 2 } },
  };
  expect(mergeTyped(live, applied, type)).toEqual({
    metadata: { labels: { a: "1", b: "2" } },
    spec: {
      containers: [{ name: "c" }, { name: "a", image: "2" }, { name: "b" }],
      args: ["z"],
      weights: { b: 2 },
    },
  });
});

test("removing leaves the rest in place", () => {
  const object = {
    spec: { replicas: 1, containers: [{ name: "a", image: "1" }, { name: "b" }], args: ["x"] },
  };
  const set = extractSet({ spec: { replicas: 1, args: [], containers: [{ name: "b" }] } }, type);
  expect(removeItems(object, set, type)).toEqual({ spec: { containers: [{ name: "a", image: "1" }] } });
});

test("paths below what became atomic are replaced by it", () => {
  const text = { kind: "scalar", scalar: "string" } as const;
  const granular = structType(new Map([["a", structType(new Map([["x", text]]))]]));
  const atomic = structType(new Map([["a", structType(new Map([["x", text]]), { atomic: true })]]));
  const set = extractSet({ a: { x: "1" } }, granular);
  expect(texts(reconcileSet(set, atomic))).toEqual([".a"]);
  expect(reconcileSet(set, granular)).toBe(set);
});

test("fields that are not declared are free-form where that is allowed", () => {
  const open = structType(new Map([["a", { kind: "scalar", scalar: "string" } as const]]), {
    others: deducedType,
  });
  const value: JsonValue = { a: "1", b: { c: [1] } };
  expect(() => checkTyped(value, open)).not.toThrow();
  expect(texts(extractSet(value, open))).toEqual([".a", ".b", ".b.c"]);
});

test("large values are merged and extracted", () => {
  const containers = (image: string) =>
    Array.from({ length: 5000 }, (_, index) => ({ name: `c${index}`, image: `${image}-${index}` }));
  const extra = (value: string) =>
    Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, value]));
  const live = { spec: { containers: containers("old"), extra: extra("old") } };
  const applied = { spec: { containers: containers("new"), extra: extra("new") } };
  expect(mergeTyped(live, applied, type)).toEqual(applied);
  expect(pathsOf(extractSet(live, type))).toHaveLength(3 * 5000 + 5000);
});
