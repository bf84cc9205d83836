import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type EmbeddedStore, openEmbeddedStore } from "./embedded-store.js";
import { type Allocate, FreeSpace, writeZeros } from "./free-space.js";

const mebibyte = 1024 * 1024;
const directories: string[] = [];
const stores: EmbeddedStore[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A store whose disk is full when `disk.full` says so. */
async function open(): Promise<{
  store: EmbeddedStore;
  disk: { full: boolean; taken: number };
  file: string;
}> {
  const directory = mkdtempSync(join(tmpdir(), "room-"));
  directories.push(directory);
  const disk = { full: false, taken: 0 };
  const allocate: Allocate = async (path, from, bytes) => {
    if (disk.full) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    disk.taken += bytes;
    await writeZeros(path, from, bytes);
  };
  const store = await openEmbeddedStore({ directory, allocate });
  stores.push(store);
  return { store, disk, file: join(directory, "data.mdb") };
}

const nothing = { bytesPending: 0, catchUp: async () => undefined };
const value = Buffer.alloc(100_000, "x");
const put = (store: EmbeddedStore, key: string) =>
  store.transact({ compare: [], success: [{ kind: "put", key, value }], failure: [] });

test("LMDB never writes behind what was taken for it, and puts end before deletes do", async () => {
  const { store, disk, file } = await open();
  await put(store, "/first");
  expect(disk.taken).toBeGreaterThan(8 * mebibyte);
  disk.full = true;
  const { size } = statSync(file);
  let count = 0;
  const fill = async (): Promise<void> => {
    for (; ; count++) await put(store, `/${count}`);
  };
  await expect(fill()).rejects.toMatchObject({ code: "NoSpace" });
  expect(count).toBeGreaterThan(5);
  // Many at once change nothing: a commit is no larger than its room.
  const many = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => put(store, `/many-${i}`)));
  expect(many.every(({ status }) => status === "rejected")).toBe(true);
  expect((await store.range({ start: "/", end: "0" })).count).toBe(count + 1);
  for (let i = 0; i < count; i++) {
    await store.transact({
      compare: [],
      success: [{ kind: "delete", range: { start: `/${i}` } }],
      failure: [],
    });
  }
  await store.compact(await store.currentRevision());
  await store.purged();
  expect(statSync(file).size).toBe(size);
  // Deleted data makes room again, without asking the disk for more.
  await put(store, "/again");

  disk.full = false;
  await expect.poll(() => put(store, "/later").then(() => "stored")).toBe("stored");
});

test("a disk that has room again is used again", async () => {
  const { store, disk } = await open();
  await put(store, "/first");
  disk.full = true;
  let count = 0;
  const fill = async (): Promise<void> => {
    for (; ; count++) await put(store, `/${count}`);
  };
  await expect(fill()).rejects.toMatchObject({ code: "NoSpace" });
  await expect(put(store, "/more")).rejects.toMatchObject({ code: "NoSpace" });
  disk.full = false;
  await expect
    .poll(() =>
      put(store, "/more").then(
        () => "stored",
        (error: { code: string }) => error.code,
      ),
    )
    .toBe("stored");
});

test("a disk that was full is asked again after a while, and not for each commit", async () => {
  let now = 0;
  let asked = 0;
  const tables = {
    path: "",
    endBytes: () => mebibyte,
    usedBytes: () => mebibyte,
    fileBytes: async () => mebibyte,
  };
  const allocate: Allocate = async () => {
    asked++;
    throw new Error("ENOSPC");
  };
  const room = new FreeSpace({ tables, pending: nothing, fileBytes: mebibyte, allocate, now: () => now });
  for (let i = 0; i < 10; i++) expect((await room.prepare()).refusePuts).toMatchObject({ code: "NoSpace" });
  expect(asked).toBe(1);
  now = 2000;
  await room.prepare();
  expect(asked).toBe(2);
});

test("LMDB is asked where its pages end when what was taken may have used up the room, not for each commit", async () => {
  let asked = 0;
  const tables = {
    path: "",
    endBytes: () => {
      asked++;
      return mebibyte;
    },
    usedBytes: () => mebibyte,
    fileBytes: async () => 13 * mebibyte,
  };
  const room = new FreeSpace({
    tables,
    pending: nothing,
    fileBytes: 13 * mebibyte,
    allocate: async () => undefined,
  });
  expect(await room.prepare()).toMatchObject({ putBytes: 8 * mebibyte });
  room.taken(3 * mebibyte);
  expect(await room.prepare()).toMatchObject({ putBytes: 5 * mebibyte });
  expect(asked).toBe(1);
  room.taken(2 * mebibyte);
  expect(await room.prepare()).toMatchObject({ putBytes: 8 * mebibyte });
  expect(asked).toBe(2);
});

test("commits that LMDB does not have yet count until it has them, and the file grows when that is not enough", async () => {
  let fileBytes = 13 * mebibyte;
  let endBytes = mebibyte;
  const pending = {
    bytesPending: 5 * mebibyte,
    catchUp: async () => {
      endBytes += pending.bytesPending / 5;
      pending.bytesPending = 0;
    },
  };
  const tables = {
    path: "",
    endBytes: () => endBytes,
    usedBytes: () => endBytes,
    fileBytes: async () => fileBytes,
  };
  const allocate: Allocate = async (_path, from, bytes) => {
    fileBytes = from + bytes;
  };
  const room = new FreeSpace({ tables, pending, fileBytes, allocate });
  expect(await room.prepare()).toMatchObject({ putBytes: 7 * mebibyte });
  expect(fileBytes).toBe(13 * mebibyte);
  endBytes += 2 * mebibyte;
  pending.bytesPending = 5 * mebibyte;
  room.taken(4 * mebibyte);
  expect(await room.prepare()).toMatchObject({ putBytes: 8 * mebibyte });
  expect(fileBytes).toBe(endBytes + 12 * mebibyte);
});
