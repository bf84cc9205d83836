import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inspectDataFile } from "./data-file.js";
import { openEmbeddedStore } from "./embedded-store.js";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "data-file-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test.each([
  ["nothing", "", /data\.mdb is empty: restore a backup/],
  ["garbage", "garbage", /data\.mdb is not the data file of a store/],
  ["zeros", "\0".repeat(20_000), /data\.mdb is not the data file of a store/],
])("a data file with %s in it is no new store, and stays as it is", async (_what, content, reason) => {
  const file = join(directory, "data.mdb");
  writeFileSync(file, content);
  await expect(openEmbeddedStore({ directory })).rejects.toMatchObject({
    code: "Corrupt",
    message: expect.stringMatching(reason),
  });
  expect(readFileSync(file, "utf8")).toBe(content);
});

const pageBytes = 4096;

/** The data file of a closed store. */
async function filledFile(values: number): Promise<string> {
  const store = await openEmbeddedStore({ directory });
  for (let i = 0; i < values; i++) {
    const value = Buffer.alloc(i % 7 === 0 ? 9000 : 300, i + 1);
    await store.transact({
      compare: [],
      success: [{ kind: "put", key: `/things/${i}`, value }],
      failure: [],
    });
  }
  await store.close();
  return join(directory, "data.mdb");
}

function overwrite(file: string, page: number, content: Uint8Array): void {
  const fd = openSync(file, "r+");
  writeSync(fd, content, 0, content.length, page * pageBytes);
  closeSync(fd);
}

// The check is limited to 50 ms, which may be too little on a busy machine, so the clock is stopped.
beforeEach(() => {
  vi.spyOn(performance, "now").mockReturnValue(0);
});
afterEach(() => vi.restoreAllMocks());

test.each([
  ["zeros", () => Buffer.alloc(pageBytes)],
  ["ones", () => Buffer.alloc(pageBytes, 0xff)],
  ["text", () => Buffer.alloc(pageBytes, "overwritten by something else\n")],
  ["another page", (file: Buffer, page: number) => file.subarray((page - 1) * pageBytes, page * pageBytes)],
  [
    "its header and garbage",
    (file: Buffer, page: number) =>
      Buffer.concat([
        file.subarray(page * pageBytes, page * pageBytes + 20),
        Buffer.alloc(pageBytes - 20, 0xa7),
      ]),
  ],
])("pages overwritten with %s are found at the start, or are no longer in use", async (_what, contentOf) => {
  const file = await filledFile(150);
  const whole = readFileSync(file);
  // The rest of the file is only reserved space.
  const end = Math.ceil(whole.findLastIndex((byte) => byte !== 0) / pageBytes);
  const unfound: number[] = [];
  for (let page = 2; page < end; page++) {
    overwrite(file, page, contentOf(whole, page));
    await inspectDataFile(file, "store").then(
      () => unfound.push(page),
      (error: unknown) => {
        const message = expect.stringMatching(/data\.mdb is damaged: page \d+ /);
        expect(error).toMatchObject({ code: "Corrupt", message });
      },
    );
    overwrite(file, page, whole.subarray(page * pageBytes, (page + 1) * pageBytes));
  }
  expect(end - unfound.length).toBeGreaterThan(40);
  // The second and later pages of long values, and pages that LMDB will overwrite: none of them can crash the process.
  for (const page of unfound) overwrite(file, page, contentOf(whole, page));
  const store = await openEmbeddedStore({ directory });
  expect((await store.range({ start: "/", end: "0" })).kvs).toHaveLength(150);
  await store.close();
});

test("a store without damage opens, an empty one and a large one too", async () => {
  for (const values of [0, 1, 500]) {
    await filledFile(values);
    const store = await openEmbeddedStore({ directory });
    await store.close();
  }
});
