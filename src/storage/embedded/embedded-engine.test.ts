import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { type KvEvent, type Revision, toRevision } from "../kv.js";
import { check } from "./backup.js";
import { DurableTables } from "./durable-tables.js";
import { type EmbeddedStore, type EmbeddedStoreOptions, openEmbeddedStore } from "./embedded-store.js";
import { LmdbTables } from "./lmdb-tables.js";

let base: string;
let directory: string;
let clock: ManualClock;
let store: EmbeddedStore;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "embedded-engine-"));
  directory = join(base, "store");
  clock = new ManualClock();
});

afterEach(async () => {
  await store.close();
  await rm(base, { recursive: true });
});

async function open(options: Partial<EmbeddedStoreOptions> = {}): Promise<void> {
  store = await openEmbeddedStore({
    directory,
    clock,
    onBackgroundFailure: (reason) => {
      throw reason;
    },
    ...options,
  });
}

async function put(key: string, value: string | Buffer): Promise<Revision> {
  const operation = { kind: "put", key, value: Buffer.from(value) } as const;
  return (await store.transact({ compare: [], success: [operation], failure: [] })).revision;
}

async function remove(key: string): Promise<Revision> {
  const operation = { kind: "delete", range: { start: key } } as const;
  return (await store.transact({ compare: [], success: [operation], failure: [] })).revision;
}

test("a new store is at revision 1, and its first write at 2", async () => {
  await open();
  expect(await store.currentRevision()).toBe(1);
  expect(await put("/a", "1")).toBe(2);
});

test("commits are told in revision order, before their writers are", async () => {
  await open();
  const told: string[] = [];
  const stop = store.onCommit((events: readonly KvEvent[], revision) => {
    told.push(`commit ${revision} ${events.map((event) => `${event.type} ${event.kv.key}`).join()}`);
  });
  await Promise.all(
    [1, 2, 3].map(async (step) => {
      const revision = await put(`/${step}`, "x");
      told.push(`writer ${revision}`);
    }),
  );
  expect(told.slice(0, 3)).toEqual(["commit 2 put /1", "commit 3 put /2", "commit 4 put /3"]);
  expect(told.slice(3).sort()).toEqual(["writer 2", "writer 3", "writer 4"]);
  stop();
  await remove("/1");
  expect(told.length).toBe(6);
});

test("writes of the same moment share a commit, however much of the allocated space is used", async () => {
  await open();
  const commit = vi.spyOn(DurableTables.prototype, "commit");
  const toTables = vi.spyOn(LmdbTables.prototype, "commit");
  try {
    const rounds = 60;
    for (let round = 0; round < rounds; round++) {
      await Promise.all(Array.from({ length: 32 }, (_, i) => put(`/${round}/${i}`, "x".repeat(1500))));
    }
    expect(commit).toHaveBeenCalledTimes(rounds);
    expect(toTables.mock.calls.length).toBeLessThan(rounds / 2);
  } finally {
    commit.mockRestore();
    toTables.mockRestore();
  }
});

test("a listener hears of expired leases too", async () => {
  await open();
  const lease = await store.grantLease(10);
  const operation = { kind: "put", key: "/a", value: Buffer.from("1"), lease } as const;
  await store.transact({ compare: [], success: [operation], failure: [] });
  const heard = new Promise((resolve) => store.onCommit((events) => resolve(events)));
  await clock.advance(11_000);
  expect(await heard).toMatchObject([{ type: "delete", kv: { key: "/a" }, previous: { lease } }]);
});

test("history is compacted by itself, at the revision of one interval ago", async () => {
  await open({ compactionIntervalMs: 60_000 });
  await put("/a", "1");
  const atStart = await put("/a", "2");
  await clock.advance(60_000);
  const afterOne = await put("/a", "3");
  await clock.advance(60_000);
  await settled();
  expect((await store.status()).compactedRevision).toBe(atStart);
  await put("/a", "4");
  await clock.advance(60_000);
  await settled();
  expect((await store.status()).compactedRevision).toBe(afterOne);
  await clock.advance(120_000);
  await settled();
  expect((await store.status()).compactedRevision).toBe(await store.currentRevision());
});

/** Waits for the compaction that the clock started: it is queued before this write. */
async function settled(): Promise<void> {
  await store.transact({
    compare: [],
    success: [{ kind: "range", range: { start: "/a" } }],
    failure: [],
  });
  await store.purged();
}

test("compaction removes from disk exactly what nobody can ask for", async () => {
  await open();
  const lease = await store.grantLease(1000);
  for (let round = 0; round < 30; round++) {
    for (let index = 0; index < 40; index++) {
      const operation = { kind: "put", key: `/${index}`, value: Buffer.from(`${round}`), lease } as const;
      await store.transact({ compare: [], success: [operation], failure: [] });
    }
    for (let index = 0; index < 20; index++) await remove(`/${index}`);
  }
  const kept = await store.currentRevision();
  for (let index = 0; index < 40; index++) await put(`/${index}`, "after");
  await store.compact(kept);
  await store.purged();
  await store.close();
  // 20 versions alive at the compacted revision, the tombstone at that revision, and 40 versions since.
  expect(await check(directory)).toMatchObject({ keys: 40, historyRecords: 61, problems: [] });

  await open();
  await store.compact(await store.currentRevision());
  await store.purged();
  await store.close();
  expect(await check(directory)).toMatchObject({ keys: 40, historyRecords: 40, problems: [] });
  await open();
});

test("a purge removes versions of megabytes", async () => {
  await open();
  for (let round = 0; round < 12; round++) await put(`/${round % 2}`, Buffer.alloc(1024 * 1024, round));
  await store.compact(await store.currentRevision());
  await store.purged();
  const { kvs } = await store.range({ start: "/", end: "0" });
  expect(kvs.map(({ value }) => value[0])).toEqual([10, 11]);
  await store.close();
  expect(await check(directory)).toMatchObject({ keys: 2, historyRecords: 2, problems: [] });
  await open();
});

test("a purge that was cut short by closing is taken up again", async () => {
  await open();
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => put(`/${index}`, `${round}`)));
  }
  await store.compact(await store.currentRevision());
  await store.close();
  const { historyRecords } = await check(directory);
  expect(historyRecords).toBeGreaterThan(100);
  await open();
  await store.purged();
  await store.close();
  expect(await check(directory)).toMatchObject({ keys: 100, historyRecords: 100, problems: [] });
  await open();
});

test("beyond its size limit the store takes no more, but lets go", async () => {
  await open({ sizeBytesMax: 1024 * 1024 });
  const fill = async (): Promise<void> => {
    for (let index = 0; index < 1000; index++) await put(`/${index}`, Buffer.alloc(10_000));
  };
  await expect(fill()).rejects.toMatchObject({ code: "NoSpace" });
  const { kvs } = await store.range({ start: "/", end: "0" });
  expect(kvs.length).toBeGreaterThan(50);
  await store.transact({
    compare: [],
    success: [{ kind: "delete", range: { start: "/", end: "0" } }],
    failure: [],
  });
  await expect(put("/a", "1")).rejects.toMatchObject({ code: "NoSpace" });
  await store.compact(await store.currentRevision());
  await store.purged();
  await put("/a", "1");
});

test("a watch that falls behind reads on from disk, and is told when history is gone", async () => {
  await open();
  const first = toRevision(2);
  const watched = { start: "/", end: "0" };
  const slow = store.watch(watched, AbortSignal.timeout(20_000))[Symbol.asyncIterator]();
  const lost = store.watch(watched, AbortSignal.timeout(20_000))[Symbol.asyncIterator]();
  for (let round = 0; round < 50; round++) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => put(`/${index}`, "x".repeat(500))));
  }
  for (let revision = first; revision <= 5001; revision = toRevision(revision + 1)) {
    expect((await slow.next()).value).toMatchObject({ kind: "events", revision });
  }
  await store.compact(await store.currentRevision());
  const rest = async (): Promise<number> => {
    for (let count = 0; ; count++)
      await lost.next().catch((error: unknown) => Promise.reject({ count, error }));
  };
  const end = await rest().catch((reason: unknown) => reason);
  expect(end).toMatchObject({ error: { code: "Compacted" } });
  // The events it held in memory came first, within bounds.
  expect(end).toMatchObject({ count: 1000 });
});

test("a key may be 1,900 bytes long, and ranges may start anywhere", async () => {
  await open();
  const long = `/${"k".repeat(1899)}`;
  await put(long, "1");
  await put(long, "2");
  expect((await store.range({ start: long })).kvs[0]?.version).toBe(2);
  await expect(put(`${long}k`, "1")).rejects.toMatchObject({ code: "TooLarge" });
  expect((await store.range({ start: `${long}k` })).count).toBe(0);
  expect((await store.range({ start: `${long}${"k".repeat(3000)}`, end: "0" })).count).toBe(0);
  expect((await store.range({ start: "/", end: `${long}${"k".repeat(3000)}` })).count).toBe(1);
  expect(
    (await store.range({ start: "/", end: `${long}${"k".repeat(3000)}`, revision: toRevision(2) })).count,
  ).toBe(1);
  await expect(put("", "1")).rejects.toThrow(RangeError);
});

test("a large write does not hold back the others for ever", async () => {
  await open();
  const big = Buffer.alloc(1024 * 1024);
  const revisions = await Promise.all(Array.from({ length: 40 }, (_, index) => put(`/${index}`, big)));
  expect(revisions).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
});
