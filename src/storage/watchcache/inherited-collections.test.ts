import { afterEach, beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import type { KeyValue, Revision } from "../kv.js";
import { MemoryStore } from "../testing/memory-store.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import type { CacheFeed } from "./cache-feed.js";
import { type Cacher, createCacher } from "./cacher.js";
import { createCacheFeed } from "./create-cache-feed.js";
import { FanOut } from "./fan-out.js";
import { type ChangesOfKeys, InheritedCollections } from "./inherited-collections.js";

const prefix = "/registry/things/";

/** Two stores with equal histories; the second acts as a copy. */
let original: MemoryStore;
let copy: MemoryStore;
let reads: number;
let opened: { readonly cacher: Cacher<TestObject>; readonly feed: CacheFeed }[];

beforeEach(async () => {
  const clock = new ManualClock();
  original = new MemoryStore({ now: () => clock.now() });
  const intercept = (operation: string) => {
    if (operation === "range") reads++;
  };
  copy = new MemoryStore({ now: () => clock.now(), intercept });
  reads = 0;
  opened = [];
  for (const store of [original, copy]) for (const key of ["a", "b", "c"]) await put(store, key, key);
});

afterEach(() => {
  for (const { cacher, feed } of opened) {
    cacher.stop();
    feed.close();
  }
});

async function put(store: MemoryStore, key: string, text: string): Promise<void> {
  const success = [
    { kind: "put", key: prefix + key, value: Buffer.from(JSON.stringify(testObject(key, text))) },
  ] as const;
  await store.transact({ compare: [], success, failure: [] });
}

function open(kv: MemoryStore, inheritedCollections?: InheritedCollections<TestObject>): Cacher<TestObject> {
  const feed = createCacheFeed({ kv, root: "/registry/" });
  const cacher = createCacher<TestObject>({
    kv,
    prefix,
    codec: createTestCodec(),
    feed,
    fanOut: new FanOut(),
    windowEvents: 100,
    inheritedCollections,
  });
  opened.push({ cacher, feed });
  return cacher;
}

/** Hands the original's cached collections to the copy, which has since changed. */
async function handOver(changes: ChangesOfKeys = new Map()) {
  const cacher = open(original);
  await cacher.ready();
  const held = cacher.collection();
  if (held === undefined) throw new Error("the cache is ready");
  const indexes = new Map([[prefix, held.index]]);
  const asked: Revision[] = [];
  const inheritedCollections = await InheritedCollections.of(copy, { indexes }, async (until) => {
    asked.push(until);
    return changes;
  });
  return { inheritedCollections, held, asked };
}

async function stateOf(cacher: Cacher<TestObject>): Promise<readonly string[]> {
  const { items } = await cacher.list({ prefix: "", at: { kind: "mostRecent" }, limit: 0 });
  return items.map(({ key, revision }) => `${key}@${revision}`);
}

test("a cache of a copy takes the objects of the original over, and follows the copy", async () => {
  const { inheritedCollections, held } = await handOver();
  const cacher = open(copy, inheritedCollections);
  await cacher.ready();
  expect(reads).toBe(0);
  expect(cacher.collection()?.index.get("b")).toBe(held.index.get("b"));
  await put(copy, "d", "d");
  await put(original, "e", "e");
  expect(await stateOf(cacher)).toEqual(["a@2", "b@3", "c@4", "d@5"]);
});

test("what has changed in the copy is read, and nothing else", async () => {
  await put(copy, "b", "another");
  const { kvs } = await copy.range({ start: `${prefix}b` });
  const changes = new Map<string, KeyValue | undefined>([
    [`${prefix}b`, kvs[0]],
    [`${prefix}c`, undefined],
    ["/registry/others/b", kvs[0]],
  ]);
  reads = 0;
  const { inheritedCollections, held, asked } = await handOver(changes);
  expect(asked).toEqual([5]);
  const cacher = open(copy, inheritedCollections);
  await cacher.ready();
  expect(reads).toBe(0);
  expect(await stateOf(cacher)).toEqual(["a@2", "b@5"]);
  expect(cacher.collection()?.index.get("a")).toBe(held.index.get("a"));
});

test("a collection that is written to before its cache is there is read, and so is one that was taken", async () => {
  const { inheritedCollections } = await handOver();
  await put(copy, "a", "later");
  const cacher = open(copy, inheritedCollections);
  await cacher.ready();
  expect(reads).toBeGreaterThan(0);
  expect(await stateOf(cacher)).toEqual(["a@5", "b@3", "c@4"]);

  const { inheritedCollections: once } = await handOver();
  await open(copy, once).ready();
  reads = 0;
  await open(copy, once).ready();
  expect(reads).toBeGreaterThan(0);
});
