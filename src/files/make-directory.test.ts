import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDirectory } from "./make-directory.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "make-directory-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("all missing directories are made with the mode", () => {
  const path = join(folder, "a", "b", "c");
  makeDirectory(path, 0o700);
  makeDirectory(path, 0o700);
  for (const each of ["a", "a/b", "a/b/c"]) expect(statSync(join(folder, each)).mode & 0o777).toBe(0o700);
});

test("a link to a directory is a directory", () => {
  symlinkSync(folder, join(folder, "link"));
  makeDirectory(join(folder, "link", "below"), 0o700);
  expect(existsSync(join(folder, "below"))).toBe(true);
});

test("a file in its place, or on the way, is an error", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(() => makeDirectory(file, 0o700)).toThrow(`${file} is not a directory`);
  expect(() => makeDirectory(join(file, "x"), 0o700)).toThrow("ENOTDIR");
});

test("a link to nothing is an error", () => {
  const link = join(folder, "dangling");
  symlinkSync(join(folder, "nowhere"), link);
  expect(() => makeDirectory(link, 0o700)).toThrow("EEXIST");
});

test("an empty name is an error, not the working directory", () => {
  expect(() => makeDirectory("", 0o700)).toThrow("the name of the directory is empty");
});

test.runIf(process.platform === "linux")("a file system without new directories is an error", () => {
  expect(() => makeDirectory("/proc/orch/store", 0o700)).toThrow(
    "/proc/orch cannot be made: the file system of /proc takes no directories",
  );
});
