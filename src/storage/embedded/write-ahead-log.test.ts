import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { KeyValueStore } from "../kv.js";
import { backup, backupDirectory, check, restore } from "./backup.js";
import { type EmbeddedStore, openEmbeddedStore } from "./embedded-store.js";
import { dataFileName, LmdbTables } from "./lmdb-tables.js";
import { logFileName, WriteAheadLog } from "./write-ahead-log.js";

let base: string;
let directory: string;
let store: EmbeddedStore;
let copies = 0;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "log-"));
  directory = join(base, "store");
  store = await openWithLog(directory);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  rmSync(base, { recursive: true });
});

/** The first commits go to the tables, until the file of the log is there. */
async function openWithLog(where: string): Promise<EmbeddedStore> {
  const opened = await openEmbeddedStore({ directory: where });
  const append = vi.spyOn(WriteAheadLog.prototype, "append");
  while (append.mock.calls.length === 0) await put(opened, "/first", "x");
  append.mockRestore();
  return opened;
}

async function put(into: KeyValueStore, key: string, value: string | Buffer): Promise<void> {
  const operation = { kind: "put", key, value: Buffer.from(value) } as const;
  await into.transact({ compare: [], success: [operation], failure: [] });
}

/** What lies on disk at this moment, as a start after a crash would find it. */
function crashed(change: (copy: string) => void = () => undefined): string {
  const copy = join(base, `copy-${copies++}`);
  cpSync(directory, copy, { recursive: true, filter: (path) => !/owner|lock$/.test(path) });
  change(copy);
  return copy;
}

async function contents(of: KeyValueStore): Promise<Record<string, string>> {
  const { kvs } = await of.range({ start: "/", end: "0" });
  return Object.fromEntries(kvs.map((kv) => [kv.key, Buffer.from(kv.value).toString()]));
}

async function contentsOf(where: string): Promise<Record<string, string>> {
  const opened = await openEmbeddedStore({ directory: where });
  try {
    return await contents(opened);
  } finally {
    await opened.close();
  }
}

/** Overwrites the last bytes of the log that are not zero. */
function cutLog(copy: string, bytes: number): void {
  const path = join(copy, logFileName);
  const log = readFileSync(path);
  let end = log.length;
  while (log[end - 1] === 0) end -= 1;
  log.fill(0, end - bytes, end);
  writeFileSync(path, log);
}

test("a commit is in the log before it is told, and in the tables when somebody reads a range of them", async () => {
  const commit = vi.spyOn(LmdbTables.prototype, "commit");
  await put(store, "/a", "1");
  await put(store, "/a", "2");
  await store.transact({
    compare: [],
    success: [{ kind: "delete", range: { start: "/first" } }],
    failure: [],
  });
  expect((await store.range({ start: "/a" })).kvs).toMatchObject([{ version: 2, value: Buffer.from("2") }]);
  expect(await store.range({ start: "/a", countOnly: true })).toMatchObject({ count: 1, kvs: [] });
  expect((await store.range({ start: "/a", keysOnly: true })).kvs[0]?.value.length).toBe(0);
  expect(await store.range({ start: "/first" })).toEqual({
    kvs: [],
    revision: await store.currentRevision(),
    count: 0,
    more: false,
  });
  expect(commit).not.toHaveBeenCalled();
  expect(readFileSync(join(directory, logFileName)).includes("/a")).toBe(true);
  expect(await contents(store)).toEqual({ "/a": "2" });
  expect(commit).toHaveBeenCalledTimes(1);
  expect((await store.range({ start: "/a" })).kvs).toMatchObject([{ version: 2 }]);
  await contents(store);
  expect(commit).toHaveBeenCalledTimes(1);
});

test("commits reach the tables after some seconds, once", async () => {
  await contents(store);
  const commit = vi.spyOn(LmdbTables.prototype, "commit");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await put(store, "/a", "1");
    await put(store, "/b", "1");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(commit).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test("a large commit takes earlier ones along to the tables, and nothing is left for later", async () => {
  await contents(store);
  const commit = vi.spyOn(LmdbTables.prototype, "commit");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await put(store, "/a", "1");
    await put(store, "/large", Buffer.alloc(300_000, "x"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(commit).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test("nothing that was acknowledged is lost in a crash at any moment of many writes", async () => {
  const acknowledged = new Map<string, string>();
  const found: { readonly copy: string; readonly expected: Record<string, string> }[] = [];
  for (let round = 0; round < 60; round++) {
    const size = [10, 2000, 50_000, 400_000][round % 4] ?? 10;
    await Promise.all(
      Array.from({ length: 10 }, async (_, writer) => {
        const key = `/${(round * 7 + writer) % 40}`;
        const value = `${round}-${writer}-`.padEnd(size, "x");
        await put(store, key, value);
        acknowledged.set(key, value);
      }),
    );
    if (round % 6 === 5) found.push({ copy: crashed(), expected: Object.fromEntries(acknowledged) });
  }
  for (const { copy, expected } of found) {
    expect((await check(copy)).problems).toEqual([]);
    expect(await contentsOf(copy)).toMatchObject(expected);
  }
});

test("of a record that was written in part nothing is taken, and all that came before", async () => {
  await put(store, "/a", "before");
  await put(store, "/b", "the last");
  const copy = crashed((where) => cutLog(where, 3));
  const reopened = await openWithLog(copy);
  expect(await contents(reopened)).toEqual({ "/first": "x", "/a": "before" });
  await put(reopened, "/c", "after");
  await reopened.close();
  expect(await contentsOf(copy)).toEqual({ "/first": "x", "/a": "before", "/c": "after" });
});

test("a checkpoint that fails loses nothing, and the next one writes what it was to write", async () => {
  await contents(store);
  const failure = new Error("the disk is broken");
  const commit = vi.spyOn(LmdbTables.prototype, "commit").mockRejectedValue(failure);
  await put(store, "/a", "1");
  await expect(contents(store)).rejects.toMatchObject({ code: "Unavailable" });
  await put(store, "/b", "1");
  await expect(put(store, "/large", Buffer.alloc(300_000, "x"))).rejects.toMatchObject({
    code: "Unavailable",
  });
  await put(store, "/c", "1");
  commit.mockRestore();
  const expected = { "/first": "x", "/a": "1", "/b": "1", "/c": "1" };
  expect(await contentsOf(crashed())).toEqual(expected);
  expect(await contents(store)).toEqual(expected);
});

test("when the log fails, that commit is refused and the next one goes to the tables", async () => {
  await contents(store);
  const append = vi.spyOn(WriteAheadLog.prototype, "append").mockImplementation(function (
    this: WriteAheadLog,
    ...record
  ) {
    append.mockRestore();
    // It is on disk nevertheless.
    return this.append(...record).then(() => Promise.reject(new Error("input/output error")));
  });
  await expect(put(store, "/a", "refused")).rejects.toMatchObject({ code: "Unavailable" });
  const commit = vi.spyOn(LmdbTables.prototype, "commit");
  await put(store, "/b", "1");
  expect(commit).toHaveBeenCalledTimes(1);
  expect(await contentsOf(crashed())).toEqual({ "/first": "x", "/b": "1" });
  await put(store, "/c", "1");
  expect(commit).toHaveBeenCalledTimes(1);
  expect(await contentsOf(crashed())).toEqual({ "/first": "x", "/b": "1", "/c": "1" });
});

test("a log with a hole is damage", async () => {
  await contents(store);
  vi.spyOn(LmdbTables.prototype, "commit").mockRejectedValue(new Error("not now"));
  await put(store, "/a", "1");
  await put(store, "/b", "1");
  await expect(contents(store)).rejects.toThrow();
  await put(store, "/c", "1");
  vi.restoreAllMocks();
  expect(await contentsOf(crashed())).toEqual({ "/first": "x", "/a": "1", "/b": "1", "/c": "1" });
  const copy = crashed((where) => {
    const path = join(where, logFileName);
    const log = readFileSync(path);
    const place = log.indexOf("/a");
    log.writeUInt8(0, place);
    writeFileSync(path, log);
  });
  await expect(contentsOf(copy)).rejects.toMatchObject({
    code: "Corrupt",
    message: expect.stringContaining(logFileName),
  });
  await expect(check(copy)).rejects.toMatchObject({ code: "Corrupt" });
  rmSync(join(copy, logFileName));
  expect(await contentsOf(copy)).toEqual({ "/first": "x" });
});

test("a copy of a store in use has what is in its log", async () => {
  await put(store, "/a", "1");
  const file = join(base, "backup");
  await backupDirectory(directory, file);
  await put(store, "/a", "2");
  await restore(file, join(base, "restored"), { revisionBump: 0 });
  expect(await contentsOf(join(base, "restored"))).toEqual({ "/first": "x", "/a": "1" });
  await backup(store, file);
  expect((await check(file)).problems).toEqual([]);
  await restore(file, join(base, "again"), { revisionBump: 0 });
  expect(await contentsOf(join(base, "again"))).toEqual({ "/first": "x", "/a": "2" });
});

test("the log of the store before is not replayed into a restored one", async () => {
  await put(store, "/a", "1");
  const file = join(base, "backup");
  await backup(store, file);
  await put(store, "/a", "2");
  const copy = crashed((where) => rmSync(join(where, dataFileName)));
  await restore(file, copy);
  expect(existsSync(join(copy, logFileName))).toBe(true);
  expect(await contentsOf(copy)).toEqual({ "/first": "x", "/a": "1" });
});

test("a store of the format without a log is opened, checked and copied", async () => {
  await put(store, "/a", "1");
  await store.close();
  rmSync(join(directory, logFileName));
  const path = join(directory, dataFileName);
  const environment = open<Buffer, Buffer>({
    path,
    noSubdir: true,
    encoding: "binary",
    keyEncoding: "binary",
    maxDbs: 8,
  });
  const meta = environment.openDB({ name: "meta", encoding: "binary", keyEncoding: "binary" });
  await meta.put(Buffer.from("format"), Buffer.from([0, 0, 0, 1]));
  await meta.remove(Buffer.from("log"));
  await environment.close();

  expect((await check(directory)).problems).toEqual([]);
  await backupDirectory(directory, join(base, "backup"));
  store = await openWithLog(directory);
  await put(store, "/a", "2");
  expect(await contentsOf(crashed())).toEqual({ "/first": "x", "/a": "2" });
  await restore(join(base, "backup"), join(base, "restored"));
  expect(await contentsOf(join(base, "restored"))).toEqual({ "/first": "x", "/a": "1" });
});

test("nobody else can read the log, and a store that need not be durable has none", async () => {
  expect(statSync(join(directory, logFileName)).mode & 0o077).toBe(0);
  const other = join(base, "passing");
  const passing = await openEmbeddedStore({ directory: other, isDurable: false });
  for (let index = 0; index < 20; index++) await put(passing, "/a", String(index));
  await passing.close();
  expect(existsSync(join(other, logFileName))).toBe(false);
  expect(await contentsOf(other)).toEqual({ "/a": "19" });
});
