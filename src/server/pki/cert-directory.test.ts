import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveCertDirectory } from "./cert-directory.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-certs-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("a directory that was asked for is used, writable or not", () => {
  const options = {
    asked: "/proc/nowhere",
    defaultDirectory: join(directory, "x"),
    dataDirectory: directory,
  };
  expect(resolveCertDirectory(options)).toEqual({ directory: "/proc/nowhere", fellBack: false });
  expect(existsSync(join(directory, "x"))).toBe(false);
});

test("the default is made when missing", () => {
  const defaultDirectory = join(directory, "run", "orch");
  expect(resolveCertDirectory({ asked: undefined, defaultDirectory, dataDirectory: directory })).toEqual({
    directory: defaultDirectory,
    fellBack: false,
  });
  expect(existsSync(defaultDirectory)).toBe(true);
});

test("a default directory that cannot be created falls back to the data directory", () => {
  // A file in place of the directory fails for every user, even root.
  writeFileSync(join(directory, "file"), "");
  const defaultDirectory = join(directory, "file", "orch");
  expect(resolveCertDirectory({ asked: undefined, defaultDirectory, dataDirectory: "/data" })).toEqual({
    directory: "/data/pki",
    fellBack: true,
  });
});
