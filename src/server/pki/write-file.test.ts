import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeFileAtomically } from "./write-file.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-write-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("replaces a file and its mode, and leaves nothing else behind", () => {
  const path = join(directory, "key");
  writeFileSync(path, "old", { mode: 0o644 });
  writeFileAtomically(path, "new", 0o600);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(["key"]);
});

test("a failed write keeps the old file", () => {
  expect(() => writeFileAtomically(join(directory, "missing", "key"), "x", 0o600)).toThrow(/ENOENT/);
});
