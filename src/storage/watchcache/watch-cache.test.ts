import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { type KvEvent, toRevision } from "../kv.js";
import type { StoredObject } from "../object-store.js";
import { createStoredObject } from "../stored-object.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { SortedIndex } from "./sorted-index.js";
import { WatchCache } from "./watch-cache.js";

const codec = createTestCodec();
const prefix = "/things/";

function stored(key: string, revision: number): StoredObject<TestObject> {
  return createStoredObject(codec, key, testObject(key, String(revision)), toRevision(revision));
}

function event(key: string, revision: number, type: KvEvent["type"] = "put"): KvEvent {
  const at = toRevision(revision);
  const kv = {
    key: prefix + key,
    value: Buffer.alloc(0),
    createRevision: at,
    modRevision: at,
    version: 1,
    lease: 0n,
  };
  return { type, kv, previous: undefined };
}

function cacheAt(revision: number, windowEvents = 4) {
  const clock = new ManualClock();
  const sizes: number[] = [];
  const cache = new WatchCache({
    codec,
    prefix,
    clock,
    windowEvents,
    resized: (events) => sizes.push(events),
  });
  cache.replace({ index: SortedIndex.empty(), revision: toRevision(revision) });
  return { cache, clock, sizes };
}

test("knows the objects after the last event, and at each revision before", () => {
  const { cache } = cacheAt(1);
  cache.apply([event("a/x", 2)], [stored("a/x", 2)], 0);
  cache.apply([event("a/x", 3, "delete"), event("a/y", 3)], [undefined, stored("a/y", 3)], 0);
  expect(cache.index.range("").map(({ key }) => key)).toEqual(["a/y"]);
  expect(cache.bytes).toBe(stored("a/y", 3).body.length);
  expect(cache.recent.snapshotAt(toRevision(2)).range("")).toHaveLength(1);
  expect(cache.recent.snapshotAt(toRevision(2)).get("a/x")?.revision).toBe(2);
  expect(cache.recent.after(toRevision(1)).map(({ key, revision }) => [key, revision])).toEqual([
    ["a/x", 2],
    ["a/x", 3],
    ["a/y", 3],
  ]);
});

test("the deletion of what is not there is no change", () => {
  const { cache } = cacheAt(1);
  expect(cache.apply([event("a/x", 2, "delete")], [undefined], 0)).toEqual([]);
  expect(cache.recent.low).toBe(1);
});

test("tells how many events it holds, and forgets those of busy times when they are old", async () => {
  const { cache, clock, sizes } = cacheAt(1);
  for (let revision = 2; revision <= 10; revision++)
    cache.apply([event("a/x", revision)], [stored("a/x", revision)], 0);
  expect(sizes).toEqual([4, 8, 16]);
  await clock.advance(90_000);
  expect(sizes.at(-1)).toBe(4);
});

test("holds neither objects nor a timer once it is cleared", async () => {
  const { cache, clock, sizes } = cacheAt(1);
  for (let revision = 2; revision <= 10; revision++)
    cache.apply([event("a/x", revision)], [stored("a/x", revision)], 0);
  cache.clear();
  expect([cache.index.size, cache.bytes]).toEqual([0, 0]);
  await clock.advance(90_000);
  expect(sizes.at(-1)).toBe(16);
});
