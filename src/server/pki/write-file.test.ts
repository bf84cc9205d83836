import fs, {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { writeFileAtomically } from "./write-file.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-write-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Fails the next flush of a file, for modules that import it by its name too. */
function failNextFlush(): void {
  const flush = vi.spyOn(fs, "fsyncSync").mockImplementationOnce(() => {
    throw new Error("ENOSPC");
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    flush.mockRestore();
    syncBuiltinESMExports();
  });
}

test("replaces a file and its mode, and leaves nothing else behind", () => {
  const path = join(directory, "key");
  writeFileSync(path, "old", { mode: 0o644 });
  writeFileAtomically(path, "new", 0o600);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(["key"]);
});

test.each([0, 0o077])("the mode is the one asked for, with umask %o too", (umask) => {
  const before = process.umask(umask);
  try {
    for (const mode of [0o600, 0o644]) {
      const path = join(directory, String(mode));
      writeFileAtomically(path, "text", mode);
      expect(statSync(path).mode & 0o777).toBe(mode);
    }
  } finally {
    process.umask(before);
  }
});

test("a symbolic link is replaced, not followed", () => {
  const elsewhere = join(directory, "elsewhere");
  const path = join(directory, "key");
  writeFileSync(elsewhere, "another's", { mode: 0o644 });
  symlinkSync(elsewhere, path);
  writeFileAtomically(path, "secret", 0o600);
  expect(readFileSync(elsewhere, "utf8")).toBe("another's");
  expect(lstatSync(path).isSymbolicLink()).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("secret");
});

test("a failed write keeps the old file, and leaves nothing else behind", () => {
  const path = join(directory, "key");
  writeFileSync(path, "old");
  failNextFlush();
  expect(() => writeFileAtomically(path, "new", 0o600)).toThrow("ENOSPC");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(directory)).toEqual(["key"]);
  expect(() => writeFileAtomically(join(directory, "missing", "key"), "x", 0o600)).toThrow(/ENOENT/);
});
