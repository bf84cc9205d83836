import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { structType } from "../schema/testing/struct-type.js";
import { ShapeTree } from "./shape-tree.js";
import { ShapeTrees } from "./shape-trees.js";

const periodMs = 1000;
const type = structType(new Map());

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function walk(trees: ShapeTrees<string>, tree: ShapeTree<string>, ...names: readonly string[]): void {
  const before = tree.places;
  const place = tree.placeOf(Object.fromEntries(names.map((name) => [name, 1])), type);
  trees.used(tree, before);
  if (place !== undefined) place.value = names.join();
}

function newTree(): ShapeTree<string> {
  return new ShapeTree(1000);
}

test("an unused tree is dropped", () => {
  const trees = new ShapeTrees<string>(1000, periodMs);
  const [used, unused] = [newTree(), newTree()];
  walk(trees, unused, "a");
  for (let i = 0; i < 3; i++) {
    walk(trees, used, "a");
    vi.advanceTimersByTime(periodMs);
  }
  expect(unused.places).toBe(0);
  expect(used.placeOf({ a: 1 }, type)?.value).toBe("a");
  expect(trees.places).toBe(used.places);
  vi.advanceTimersByTime(2 * periodMs);
  expect(trees.places).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("a dropped tree is kept again once it is used", () => {
  const trees = new ShapeTrees<string>(1000, periodMs);
  const tree = newTree();
  for (let i = 0; i < 2; i++) {
    walk(trees, tree, "a", "b");
    expect(trees.places).toBe(tree.places);
    expect(tree.placeOf({ a: 1, b: 1 }, type)?.value).toBe("a,b");
    vi.advanceTimersByTime(2 * periodMs);
    expect(tree.places).toBe(0);
  }
});

test("all trees together have a bound", () => {
  const trees = new ShapeTrees<string>(20, periodMs);
  const all = Array.from({ length: 10 }, newTree);
  for (const tree of all) {
    walk(trees, tree, "a", "b", "c");
    expect(trees.places).toBeLessThanOrEqual(20);
    expect(trees.places).toBe(all.reduce((sum, { places }) => sum + places, 0));
  }
});
