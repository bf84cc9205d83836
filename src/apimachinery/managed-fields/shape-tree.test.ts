import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import type { MergeType } from "../schema/merge-type.js";
import { structType } from "../schema/testing/struct-type.js";
import { ShapeTree } from "./shape-tree.js";

const text: MergeType = { kind: "scalar", scalar: "string" };
const part = structType(
  new Map([
    ["name", text],
    ["size", text],
  ]),
);
const type = structType(
  new Map<string, MergeType>([
    ["title", text],
    ["parts", { kind: "list", relation: "map", keys: ["name"], mayOmitKeys: false, element: part }],
    ["tags", { kind: "list", relation: "set", keys: [], mayOmitKeys: false, element: text }],
    ["labels", { kind: "map", atomic: false, element: text }],
  ]),
);

test.each<[string, JsonObject, JsonObject, "same" | "other"]>([
  ["values", { title: "a" }, { title: "b" }, "same"],
  ["an empty value", { title: "a" }, { title: "" }, "other"],
  ["a kind of value", { title: "a" }, { title: null }, "other"],
  ["a name", { title: "a" }, { name: "a" }, "other"],
  ["a key of an item", { parts: [{ name: "a" }] }, { parts: [{ name: "b" }] }, "other"],
  [
    "a value of an item",
    { parts: [{ name: "a", size: "1" }] },
    { parts: [{ name: "a", size: "2" }] },
    "same",
  ],
  ["a key that is a number", { parts: [{ name: "1" }] }, { parts: [{ name: 1 }] }, "other"],
  ["the number of items", { tags: ["a"] }, { tags: ["a", "b"] }, "other"],
  ["an item of a set", { tags: ["a"] }, { tags: ["b"] }, "other"],
  ["the name in a map", { labels: { a: "1" } }, { labels: { b: "1" } }, "other"],
  ["where a map ends", { labels: { a: "1" }, title: "b" }, { labels: { a: "1", title: "b" } }, "other"],
  ["how unknown fields nest", { x: { y: 1 }, z: 1 }, { x: { y: 1, z: 1 } }, "other"],
  ["an unknown list", { x: [1] }, { x: [2, 3] }, "same"],
])("objects that differ in %s", (_name, a, b, expected) => {
  const tree = new ShapeTree<string>(1000);
  expect(keep(tree, a, "first")).toBe("first");
  expect(keep(tree, b, "second")).toBe(expected === "same" ? "first" : "second");
  expect(keep(tree, a, "third")).toBe("first");
});

test("a full tree drops entries, and never mistakes one shape for another", () => {
  const word = fc.constantFrom("a", "b", "c");
  const objects = fc.record(
    { tags: fc.array(word, { maxLength: 4 }), labels: fc.dictionary(word, word) },
    { requiredKeys: [] },
  );
  const tree = new ShapeTree<string>(24);
  fc.assert(
    fc.property(objects, (object) => {
      // Label values are not part of the shape.
      const labels = object.labels && Object.keys(object.labels);
      const shape = JSON.stringify({ ...object, labels });
      expect(keep(tree, object, shape)).toBe(shape);
    }),
    { numRuns: 1000 },
  );
});

/** What the tree has for the shape of `object`, which is `value` if it had nothing. */
function keep(tree: ShapeTree<string>, object: JsonObject, value: string): string {
  const place = tree.placeOf(object, type);
  if (place === undefined) return value;
  place.value ??= value;
  return place.value;
}

test.each([
  ["a name", { labels: { ["a".repeat(1000)]: "1" } }],
  ["a key", { tags: ["a".repeat(1000)] }],
])("a shape with %s longer than any valid one is not kept", (_what, object) => {
  const tree = new ShapeTree<string>(1000);
  expect(tree.placeOf(object, type)).toBeUndefined();
  expect(tree.places).toBeLessThan(20);
});

test("a shape that is a large part of the tree is not kept", () => {
  const tree = new ShapeTree<string>(1000);
  const labels = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, "1"]));
  expect(tree.placeOf({ labels: labels(600) }, type)).toBeUndefined();
  expect(tree.placeOf({ labels: labels(100) }, type)).toBeDefined();
});

test("long names count as more places", () => {
  const [short, long] = [new ShapeTree<string>(1000), new ShapeTree<string>(1000)];
  short.placeOf({ labels: { a: "1" } }, type);
  long.placeOf({ labels: { ["a".repeat(500)]: "1" } }, type);
  expect(long.places).toBeGreaterThan(short.places);
});
