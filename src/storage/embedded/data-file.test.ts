import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEmbeddedStore } from "./embedded-store.js";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "data-file-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test.each([
  ["nothing", "", /data\.mdb is empty: restore a backup/],
  ["garbage", "garbage", /data\.mdb is not a data file of a store/],
  ["zeros", "\0".repeat(20_000), /data\.mdb is not a data file of a store/],
])("a data file with %s in it is no new store, and stays as it is", async (_what, content, reason) => {
  const file = join(directory, "data.mdb");
  writeFileSync(file, content);
  await expect(openEmbeddedStore({ directory })).rejects.toMatchObject({ code: "Corrupt", message: reason });
  expect(readFileSync(file, "utf8")).toBe(content);
});
