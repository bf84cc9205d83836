import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type KeyValueStore, type Revision, toRevision } from "../kv.js";
import { backup, check, restore } from "./backup.js";
import { type EmbeddedStore, openEmbeddedStore } from "./embedded-store.js";
import { openTables } from "./lmdb-tables.js";
import { encodeRevisionKey } from "./record-layout.js";

let base: string;
let store: EmbeddedStore;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "backup-"));
  store = await openEmbeddedStore({ directory: join(base, "store") });
});

afterEach(async () => {
  await store.close();
  await rm(base, { recursive: true });
});

async function put(into: KeyValueStore, key: string, value: string, lease?: bigint): Promise<Revision> {
  const put = { kind: "put", key, value: Buffer.from(value), lease } as const;
  return (await into.transact({ compare: [], success: [put], failure: [] })).revision;
}

async function contents(of: KeyValueStore): Promise<[string, string][]> {
  const { kvs } = await of.range({ start: "/", end: "0" });
  return kvs.map((kv) => [kv.key, Buffer.from(kv.value).toString()]);
}

test("a backup taken while writes go on is one moment of the store", async () => {
  const file = join(base, "backup");
  let running = true;
  await put(store, "/0/left", "0");
  await put(store, "/0/right", "0");
  // Both keys of a pair always have the same value.
  const writing = (async () => {
    for (let step = 0; running; step++) {
      const puts = ["left", "right"].map(
        (side) => ({ kind: "put", key: `/${step % 50}/${side}`, value: Buffer.from(String(step)) }) as const,
      );
      await store.transact({ compare: [], success: puts, failure: [] });
    }
  })();
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await backup(store, file);
    const report = await check(file);
    expect(report.problems).toEqual([]);
    const target = join(base, `restored-${round}`);
    await restore(file, target, { revisionBump: 0 });
    const restored = await openEmbeddedStore({ directory: target });
    const pairs = await contents(restored);
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.length % 2).toBe(0);
    for (let index = 0; index < pairs.length; index += 2)
      expect(pairs[index]?.[1]).toBe(pairs[index + 1]?.[1]);
    expect(await restored.currentRevision()).toBe(report.revision);
    await restored.close();
  }
  running = false;
  await writing;
});

test("a restored store goes on at revisions that nobody has seen", async () => {
  const lease = await store.grantLease(1000);
  await put(store, "/a", "1", lease);
  const saved = await put(store, "/a", "2", lease);
  await backup(store, join(base, "backup"));
  const lost = await put(store, "/a", "lost");

  await restore(join(base, "backup"), join(base, "restored"));
  const restored = await openEmbeddedStore({ directory: join(base, "restored") });
  try {
    expect(await contents(restored)).toEqual([["/a", "2"]]);
    expect((await restored.range({ start: "/a" })).kvs[0]).toMatchObject({
      modRevision: saved,
      version: 2,
      lease,
    });
    expect(await put(restored, "/a", "3")).toBe(saved + 1_000_000_001);
    const watch = restored.watch(
      { start: "/a", startRevision: toRevision(lost + 1) },
      AbortSignal.timeout(5000),
    );
    await expect(watch[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "Compacted" });
    await restored.purged();
  } finally {
    await restored.close();
  }
  const report = await check(join(base, "restored"));
  expect(report).toMatchObject({ keys: 1, historyRecords: 2, leases: 1, problems: [] });
});

test("a restore does not touch a store that is there", async () => {
  await put(store, "/a", "1");
  await backup(store, join(base, "backup"));
  await expect(restore(join(base, "backup"), join(base, "store"))).rejects.toMatchObject({
    code: "Unavailable",
  });
  await store.close();
  await expect(restore(join(base, "backup"), join(base, "store"))).rejects.toMatchObject({
    code: "KeyExists",
  });
  store = await openEmbeddedStore({ directory: join(base, "store") });
  expect(await contents(store)).toEqual([["/a", "1"]]);
});

test("what is not a whole backup is refused and leaves nothing behind", async () => {
  for (let index = 0; index < 50; index++) await put(store, `/${index}`, "x".repeat(5000));
  const file = join(base, "backup");
  await backup(store, file);
  const whole = await readFile(file);
  const target = join(base, "restored");
  const broken: [string, Buffer][] = [
    ["empty", Buffer.alloc(0)],
    ["noise", Buffer.alloc(100_000, "noise")],
    ["cut", whole.subarray(0, whole.length - 4096)],
  ];
  for (const [name, bytes] of broken) {
    await writeFile(join(base, name), bytes);
    await expect(restore(join(base, name), target), name).rejects.toMatchObject({ code: "Corrupt" });
  }
  await restore(file, target);
  expect((await check(target)).keys).toBe(50);
});

test("a check needs a store, and one that is not open", async () => {
  await expect(check(join(base, "store"))).rejects.toMatchObject({ code: "Unavailable" });
  await expect(check(base)).rejects.toMatchObject({ code: "KeyNotFound" });
  await expect(check(join(base, "absent"))).rejects.toMatchObject({ code: "KeyNotFound" });
  await writeFile(join(base, "cut"), "");
  await truncate(join(base, "cut"), 8192);
  await expect(check(join(base, "cut"))).rejects.toMatchObject({ code: "Corrupt" });
});

test("a check tells what does not fit together", async () => {
  const lease = await store.grantLease(1000);
  await put(store, "/a", "1");
  const second = await put(store, "/a", "2", lease);
  const third = await put(store, "/b", "3");
  await store.transact({ compare: [], success: [{ kind: "delete", range: { start: "/b" } }], failure: [] });
  await store.close();
  const directory = join(base, "store");
  expect(await check(directory)).toMatchObject({ keys: 1, historyRecords: 4, leases: 1, problems: [] });

  const tables = await openTables(join(directory, "data.mdb"), "write");
  const key = encodeRevisionKey({ modRevision: second, index: 0 });
  await tables.commit([{ table: "history", key, value: undefined }], {
    ...tables.state(),
    revision: third - 1,
  });
  await tables.close();
  expect((await check(directory)).problems).toEqual([
    `/a at revision ${second} has no value`,
    `/b has a version at ${third}, after the store's revision`,
    `/b has a version at ${third + 1}, after the store's revision`,
    "history has 2 versions, but 3 are known",
  ]);
  store = await openEmbeddedStore({ directory: join(base, "another") });
});
