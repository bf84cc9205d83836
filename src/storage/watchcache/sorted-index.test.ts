import fc from "fast-check";
import { expect, test } from "vitest";
import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { SortedIndex } from "./sorted-index.js";

// Few distinct characters, so that keys collide; one beyond ASCII and one beyond the basic plane.
const key = fc.string({ unit: fc.constantFrom("a", "b", "/", "\uff5e", "\u{1f600}"), maxLength: 4 });
const step = fc.record({ key, remove: fc.boolean() });

function contents<V>(index: SortedIndex<V>, start = "", end?: string): V[] {
  return [...index.values(start, end)];
}

test("behaves as a sorted map, and older versions never change", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), key, key, (steps, start, end) => {
      let index = SortedIndex.empty<string>();
      const model = new Map<string, string>();
      const versions: { index: SortedIndex<string>; expected: string[] }[] = [];
      for (const [number, { key, remove }] of steps.entries()) {
        if (remove) {
          index = index.delete(key);
          model.delete(key);
        } else {
          index = index.set(key, `${key}#${number}`);
          model.set(key, `${key}#${number}`);
        }
        const sorted = [...model].sort(([a], [b]) => compareUtf8(a, b));
        versions.push({ index, expected: sorted.map(([, value]) => value) });
      }
      for (const version of versions) {
        expect(contents(version.index)).toEqual(version.expected);
        expect(version.index.size).toBe(version.expected.length);
      }
      const inRange = [...model]
        .filter(([candidate]) => compareUtf8(candidate, start) >= 0 && compareUtf8(candidate, end) < 0)
        .sort(([a], [b]) => compareUtf8(a, b))
        .map(([, value]) => value);
      expect(contents(index, start, end)).toEqual(inRange);
      expect(index.rank(start)).toBe([...model.keys()].filter((k) => compareUtf8(k, start) < 0).length);
      for (const candidate of [start, end]) expect(index.get(candidate)).toBe(model.get(candidate));
    }),
    { numRuns: 60 },
  );
});

test("stays ordered and balanced through thousands of entries, built at once or one by one", () => {
  const keys = Array.from({ length: 5000 }, (_, number) => `ns-${number % 50}/name-${number}`).sort();
  const built = SortedIndex.fromSorted(keys, keys);
  let grown = SortedIndex.empty<string>();
  for (const key of keys.toSorted(() => 1).toReversed()) grown = grown.set(key, key);
  expect(contents(built)).toEqual(keys);
  expect(contents(grown)).toEqual(keys);
  expect(contents(built, "ns-7/", "ns-70")).toEqual(keys.filter((k) => k >= "ns-7/" && k < "ns-70"));
  let shrunk = grown;
  for (const key of keys) {
    if (!key.startsWith("ns-3/")) shrunk = shrunk.delete(key);
  }
  expect(contents(shrunk)).toEqual(keys.filter((k) => k.startsWith("ns-3/")));
  expect(shrunk.rank("ns-3/name-999")).toBe(contents(shrunk).indexOf("ns-3/name-953") + 1);
  expect(contents(grown)).toEqual(keys);
});

test("a scan stops where the visitor wants it to", () => {
  const keys = Array.from({ length: 100 }, (_, number) => `k${String(number).padStart(3, "0")}`);
  const index = SortedIndex.fromSorted(keys, keys);
  const seen: string[] = [];
  const finished = index.scan("k010", undefined, (value) => {
    seen.push(value);
    return seen.length < 50;
  });
  expect(finished).toBe(false);
  expect(seen).toEqual(keys.slice(10, 60));
  expect(index.scan("k010", "k011", () => true)).toBe(true);
});

test("readers of one range share its values until the map changes", () => {
  const keys = Array.from({ length: 200 }, (_, number) => `k${String(number).padStart(3, "0")}`);
  const index = SortedIndex.fromSorted(keys, keys);
  const all = index.range("");
  expect(all).toEqual(keys);
  expect(index.range("")).toBe(all);
  expect(index.range("k010", "k110")).toEqual(keys.slice(10, 110));
  expect(index.range("k010")).toEqual(keys.slice(10));
  expect(index.delete("k000").range("")).toEqual(keys.slice(1));
  expect(index.set("k200", "k200").range("")).toEqual([...keys, "k200"]);
  expect(index.range("")).toEqual(keys);
});
