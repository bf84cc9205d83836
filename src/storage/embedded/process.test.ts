import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { check } from "./backup.js";
import { openEmbeddedStore } from "./embedded-store.js";

// Inside node_modules, so that the bundle finds the native library.
const bundle = join(process.cwd(), "node_modules", ".cache", `embedded-writer-${process.pid}.mjs`);
const children = new Set<ChildProcess>();
let directory: string;

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "..", "testing", "embedded-writer.ts")],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outfile: bundle,
    logLevel: "error",
  });
});

afterAll(() => rm(bundle, { force: true }));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "embedded-process-"));
});

afterEach(async () => {
  for (const child of children) await kill(child);
  await rm(directory, { recursive: true });
});

function start(): { child: ChildProcess; lines: AsyncIterator<string> } {
  const child = spawn(process.execPath, [bundle, directory], { stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  if (child.stdout === null) throw new Error("no output");
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

/** Mounts a small file system at `directory`. */
function mountSmallDisk(size: string, skip: (why: string) => never): void {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory], { stdio: "ignore" });
  } catch {
    skip("a disk of its own needs the right to mount");
  }
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error("the process ended");
  return value;
}

test("a killed process loses nothing that it acknowledged, and its lock is gone", async () => {
  const acknowledged = new Map<string, number>();
  for (let round = 1; round <= 3; round++) {
    const { child, lines } = start();
    expect(await nextLine(lines)).toBe("open");
    for (let count = 0; count < round * 700; count++) {
      const [key, revision] = (await nextLine(lines)).split(" ");
      if (key !== undefined) acknowledged.set(key, Number(revision));
    }
    await kill(child);
  }

  expect((await check(directory)).problems).toEqual([]);
  const store = await openEmbeddedStore({ directory });
  try {
    const { kvs, revision } = await store.range({ start: "/", end: "0" });
    const found = new Map(kvs.map((kv) => [kv.key, kv]));
    for (const [key, at] of acknowledged) {
      expect(found.get(key)?.modRevision).toBe(at);
      expect(Buffer.alloc(2000, key).equals(found.get(key)?.value ?? new Uint8Array())).toBe(true);
    }
    expect(revision).toBeGreaterThanOrEqual(Math.max(...acknowledged.values()));
    for (const kv of kvs) {
      if (kv.key.split("/").length === 3)
        expect(found.get(`${kv.key}/twin`)?.modRevision).toBe(kv.modRevision);
    }
  } finally {
    await store.close();
  }
});

test("a second process is refused and told who has the store", async () => {
  const { child, lines } = start();
  expect(await nextLine(lines)).toBe("open");
  const refusal = `the store in ${directory} is in use by process ${child.pid}: one process at a time can have it open`;
  await expect(openEmbeddedStore({ directory })).rejects.toMatchObject({
    code: "Unavailable",
    message: refusal,
  });
  const second = start();
  expect(await nextLine(second.lines)).toBe(`refused Unavailable: ${refusal}`);

  // A stopped process keeps the directory.
  child.kill("SIGSTOP");
  await expect(openEmbeddedStore({ directory })).rejects.toMatchObject({ code: "Unavailable" });
  await kill(child);
  const store = await openEmbeddedStore({ directory });
  await expect(openEmbeddedStore({ directory })).rejects.toMatchObject({ code: "Unavailable" });
  await store.close();
});

test("a directory with a long name, and one left behind by a killed process, can be locked", async () => {
  const long = join(directory, "d".repeat(120), "e".repeat(120));
  await mkdir(long, { recursive: true });
  await writeFile(join(long, "owner.json"), `{"pid":${process.pid}}`);
  await writeFile(join(long, "owner.sock"), "");
  for (let round = 0; round < 2; round++) {
    const store = await openEmbeddedStore({ directory: long });
    await expect(openEmbeddedStore({ directory: long })).rejects.toMatchObject({ code: "Unavailable" });
    await store.close();
  }
});

test("a data file that was cut off is an error, not a crash", async () => {
  const { child, lines } = start();
  for (let count = 0; count < 300; count++) await nextLine(lines);
  await kill(child);
  await truncate(join(directory, "data.mdb"), 4096 * 20);
  const { stdout, status, signal } = spawnSync(process.execPath, [bundle, directory], { encoding: "utf8" });
  expect({ status, signal }).toEqual({ status: 1, signal: null });
  expect(stdout).toMatch(/^refused Corrupt: .* is damaged: page \d+ /);
});

test("no store is begun on a disk without room for it", async ({ skip }) => {
  mountSmallDisk("4m", skip);
  try {
    await expect(openEmbeddedStore({ directory: join(directory, "store") })).rejects.toMatchObject({
      name: "StorageError",
      code: "NoSpace",
    });
  } finally {
    execFileSync("umount", [directory]);
  }
});

test("on a full disk writes fail and reads go on, until something is deleted", async ({ skip }) => {
  mountSmallDisk("40m", skip);
  const store = await openEmbeddedStore({ directory: join(directory, "store") });
  try {
    const value = Buffer.alloc(50_000, "x");
    const put = (key: string): Promise<unknown> =>
      store.transact({ compare: [], success: [{ kind: "put", key, value }], failure: [] });
    let count = 0;
    const fill = async (): Promise<void> => {
      for (; ; count++) await put(`/${count}`);
    };
    await expect(fill()).rejects.toMatchObject({ name: "StorageError", code: "NoSpace" });
    expect(count).toBeGreaterThan(100);
    await expect(put("/more")).rejects.toMatchObject({ code: "NoSpace" });
    expect(await store.range({ start: "/", end: "0", countOnly: true })).toMatchObject({ count });

    // Another file takes the very last byte.
    const ballast = join(directory, "ballast");
    await writeFile(ballast, Buffer.alloc(40_000_000)).catch(() => undefined);
    const remove = (range: { start: string; end: string }): Promise<unknown> =>
      store.transact({ compare: [], success: [{ kind: "delete", range }], failure: [] });
    await expect(put("/more")).rejects.toMatchObject({ code: "NoSpace" });
    expect((await store.range({ start: "/", end: "0" })).count).toBe(count);
    // Space for it was reserved before.
    await remove({ start: "/", end: "/2" });
    await store.compact(await store.currentRevision());
    await store.purged();
    await rm(ballast);

    await remove({ start: "/", end: "/9" });
    await store.compact(await store.currentRevision());
    await store.purged();
    await put("/again");
    expect((await store.range({ start: "/again" })).count).toBe(1);
  } finally {
    await store.close();
    expect((await check(join(directory, "store"))).problems).toEqual([]);
    execFileSync("umount", [directory]);
  }
});
