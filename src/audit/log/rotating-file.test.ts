import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type EventBatch, EventQueue } from "../event-queue.js";
import { RotatingFile, type RotatingFileOptions } from "./rotating-file.js";

let directory: string;
let path: string;
let now: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-audit-"));
  path = join(directory, "logs/audit.log");
  now = Date.parse("2026-01-02T03:04:05.678Z");
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

function open(options: Partial<RotatingFileOptions> = {}): Promise<RotatingFile> {
  return RotatingFile.open({
    path,
    bytesMax: 1_000_000,
    backupsMax: 0,
    daysMax: 0,
    compress: false,
    now: () => new Date(now),
    onProblem: (error) => {
      throw error;
    },
    ...options,
  });
}

function lines(...texts: string[]): EventBatch {
  const queue = new EventQueue("\n");
  for (const text of texts) queue.add(text);
  return queue.take(texts.length, Number.POSITIVE_INFINITY);
}

const files = () => readdirSync(join(directory, "logs")).sort();
const read = (name: string) => readFileSync(join(directory, "logs", name), "utf8");

test("lines are added, for the server's user alone", async () => {
  const file = await open();
  await file.write(lines("one", "two"));
  await file.close();
  const again = await open();
  await again.write(lines("three"));
  await again.close();
  expect(read("audit.log")).toBe("one\ntwo\nthree\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, "logs")).mode & 0o777).toBe(0o700);
});

test("a file that would be too long is put aside; a line is never cut", async () => {
  const file = await open({ bytesMax: 10 });
  await file.write(lines("1234", "5678", "90"));
  now += 1000;
  await file.write(lines("a line that is longer than a file"));
  await file.write(lines("b"));
  await file.close();
  expect(files()).toEqual([
    "audit-2026-01-02T03-04-05.678.log",
    "audit-2026-01-02T03-04-06.678.log",
    "audit-2026-01-02T03-04-06.679.log",
    "audit.log",
  ]);
  expect(files().map(read)).toEqual(["1234\n5678\n", "90\n", "a line that is longer than a file\n", "b\n"]);
  for (const name of files()) expect(statSync(join(directory, "logs", name)).mode & 0o777).toBe(0o600);
});

test("the number and the age of old files are limited", async () => {
  const file = await open({ bytesMax: 2, backupsMax: 2, daysMax: 1 });
  for (const each of ["a", "b", "c", "d"]) {
    await file.write(lines(each));
    now += 1000;
  }
  await file.close();
  expect(files().map(read)).toEqual(["b\n", "c\n", "d\n"]);
  now += 24 * 3600 * 1000 - 1500;
  await (await open({ bytesMax: 2, backupsMax: 2, daysMax: 1 })).close();
  expect(files().map(read)).toEqual(["c\n", "d\n"]);
});

test("old files are compressed, also those that a crash left", async () => {
  const file = await open({ bytesMax: 2, compress: true });
  await file.write(lines("a"));
  writeFileSync(join(directory, "logs/audit-2025-01-01T00-00-00.000.log"), "left\n");
  writeFileSync(join(directory, "logs/audit-2025-01-01T00-00-00.000.log.gz"), "half");
  writeFileSync(join(directory, "logs/audit-notes.log"), "not one of them\n");
  await file.write(lines("b"));
  await file.close();
  expect(files()).toEqual([
    "audit-2025-01-01T00-00-00.000.log.gz",
    "audit-2026-01-02T03-04-05.678.log.gz",
    "audit-notes.log",
    "audit.log",
  ]);
  const unzipped = files()
    .slice(0, 2)
    .map((name) => gunzipSync(readFileSync(join(directory, "logs", name))).toString());
  expect(unzipped).toEqual(["left\n", "a\n"]);
  for (const name of files().slice(0, 2)) {
    expect(statSync(join(directory, "logs", name)).mode & 0o777).toBe(0o600);
  }
});

test("a line that was not finished is cut off, however long", async () => {
  await (await open()).close();
  for (const rest of ["half", "x".repeat(200_000)]) {
    writeFileSync(path, `whole\n${rest}`);
    const file = await open();
    await file.write(lines("next"));
    await file.close();
    expect(read("audit.log")).toBe("whole\nnext\n");
  }
  writeFileSync(path, "y".repeat(200_000));
  await (await open()).close();
  expect(read("audit.log")).toBe("");
});

test("a file that was renamed from outside is left alone", async () => {
  const file = await open();
  await file.write(lines("a"));
  renameSync(path, `${path}.1`);
  // The name is checked once a second.
  const later = performance.now() + 2000;
  vi.spyOn(performance, "now").mockReturnValue(later);
  await file.write(lines("b"));
  await file.close();
  expect(read("audit.log.1")).toBe("a\n");
  expect(read("audit.log")).toBe("b\n");
});

test("a file that cannot be written is refused at once", async () => {
  writeFileSync(join(directory, "file"), "");
  await expect(open({ path: join(directory, "file/audit.log") })).rejects.toThrow(
    `${join(directory, "file")} is not a directory`,
  );
  chmodSync(directory, 0o700);
  expect(existsSync(path)).toBe(false);
});
