import { expect, test } from "vitest";
import { type KeyRange, type KeyValueStore, prefixEnd, type Revision } from "../../storage/kv.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import { type RewindParts, rewindStore } from "./rewind-store.js";

const range = { start: "/r/", end: prefixEnd("/r/") };

function partsOf(store: KeyValueStore): RewindParts {
  return { store, range, isKept: (key) => key.startsWith("/r/own/"), leaseSeconds: 60 };
}

async function put(store: KeyValueStore, key: string, text: string, lease = 0n): Promise<Revision> {
  const success = [{ kind: "put", key, value: Buffer.from(text), lease }] as const;
  return (await store.transact({ compare: [], success, failure: [] })).revision;
}

async function remove(store: KeyValueStore, key: string): Promise<void> {
  const success = [{ kind: "delete", range: { start: key } }] as const;
  await store.transact({ compare: [], success, failure: [] });
}

async function stateOf(store: KeyValueStore, of: KeyRange = range): Promise<Record<string, string>> {
  const { kvs } = await store.range(of);
  return Object.fromEntries(kvs.map(({ key, value }) => [key, Buffer.from(value).toString()]));
}

test("created objects are deleted, deleted ones restored and changed ones reverted, at new revisions", async () => {
  const store = new MemoryStore();
  await put(store, "/r/changed", "1");
  await put(store, "/r/gone", "1");
  await put(store, "/r/same", "1");
  await put(store, "/r/own/lease", "1");
  const at = await put(store, "/other", "1");
  const before = await stateOf(store);
  await put(store, "/r/changed", "2");
  await put(store, "/r/changed", "3");
  await remove(store, "/r/gone");
  await put(store, "/r/made", "1");
  await put(store, "/r/passing", "1");
  await remove(store, "/r/passing");
  await put(store, "/r/same", "2");
  await put(store, "/r/same", "1");
  await put(store, "/r/own/lease", "2");
  await put(store, "/other", "2");
  const revision = await store.currentRevision();
  const rewound = await rewindStore(partsOf(store), at);
  expect(rewound).toMatchObject({ created: 1, updated: 1, deleted: 1, isExact: true });
  expect(rewound.revision).toBe(revision + 3);
  expect(await stateOf(store)).toEqual({ ...before, "/r/own/lease": "2" });
  expect(await stateOf(store, { start: "/other" })).toEqual({ "/other": "2" });
});

test("owners come back before their dependents, and dependents go before their owners", async () => {
  const store = new MemoryStore();
  await put(store, "/r/z-owner", "1");
  const at = await put(store, "/r/dependent", "1");
  await remove(store, "/r/z-owner");
  await remove(store, "/r/dependent");
  await put(store, "/r/a-new-owner", "1");
  await put(store, "/r/b-new-dependent", "1");
  const keys: string[] = [];
  store.onCommit((events) => keys.push(...events.map(({ kv }) => kv.key)));
  await rewindStore(partsOf(store), at);
  expect(keys).toEqual(["/r/z-owner", "/r/dependent", "/r/b-new-dependent", "/r/a-new-owner"]);
});

test("an object that was made under the name of a former one goes before that comes back", async () => {
  const store = new MemoryStore();
  const at = await put(store, "/r/a", "1");
  await remove(store, "/r/a");
  await put(store, "/r/a", "2");
  const types: string[] = [];
  store.onCommit((events) => types.push(...events.map(({ type }) => type)));
  await rewindStore(partsOf(store), at);
  expect(types).toEqual(["delete", "put"]);
  expect(await stateOf(store)).toEqual({ "/r/a": "1" });
});

test("a write during the rewind is reverted too, and later ones stay", async () => {
  let writes = 0;
  const store: MemoryStore = new MemoryStore({
    intercept: async (operation) => {
      if (operation !== "transact" || writes < 0) return;
      if (++writes !== 1) return;
      writes = -1;
      await put(store, "/r/a", "intruder");
      writes = 1;
    },
  });
  writes = -1;
  await put(store, "/r/a", "1");
  const at = await put(store, "/r/b", "1");
  await put(store, "/r/a", "2");
  await put(store, "/r/b", "2");
  writes = 0;
  await rewindStore(partsOf(store), at);
  expect(await stateOf(store)).toEqual({ "/r/a": "1", "/r/b": "1" });
});

test("objects with a lease get one again, whether or not the old one has expired", async () => {
  let now = 0;
  const store = new MemoryStore({ now: () => now });
  const [over, lasting] = [await store.grantLease(10), await store.grantLease(1000)];
  await put(store, "/r/lasting", "1", lasting);
  const at = await put(store, "/r/over", "1", over);
  await remove(store, "/r/lasting");
  now += 20_000;
  expect(await stateOf(store)).toEqual({});
  await rewindStore(partsOf(store), at);
  expect(await stateOf(store)).toEqual({ "/r/lasting": "1", "/r/over": "1" });
  now += 61_000;
  expect(await stateOf(store)).toEqual({ "/r/lasting": "1" });
  now += 1_000_000;
  expect(await stateOf(store)).toEqual({});
});

test.each([1, 2, 3, 4, 5])("any history can be rewound, repeatedly (seed %i)", async (seed) => {
  let state = seed * 7919;
  const random = (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % bound;
  };
  const store = new MemoryStore();
  const some = async (): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      const key = `/r/${random(12)}`;
      if (random(3) === 0) await remove(store, key);
      else await put(store, key, `${random(4)}`);
    }
  };
  await some();
  let at = await store.currentRevision();
  const before = await stateOf(store);
  for (let round = 0; round < 5; round++) {
    await some();
    const { revision, isExact } = await rewindStore(partsOf(store), at);
    expect(await stateOf(store)).toEqual(before);
    expect(isExact).toBe(true);
    at = revision;
  }
});
