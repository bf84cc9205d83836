import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";

const maps = "/api/v1/namespaces/default/configmaps";
const started: ServerProcess[] = [];
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "store-commands-"));
});

afterEach(async () => {
  await disposeAll(started);
  rmSync(directory, { recursive: true, force: true });
});

async function start(dataDirectory?: string): Promise<{ server: ServerProcess; api: ApiClient }> {
  const server = await startServer(dataDirectory === undefined ? {} : { dataDirectory });
  started.push(server);
  return { server, api: new ApiClient(server) };
}

function store(args: readonly string[], input: string | Buffer = "") {
  const program = join(process.cwd(), "bin", "orch-apiserver.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "store", ...args], { input });
  return { status, bytes: stdout, stdout: stdout.toString(), stderr: stderr.toString() };
}

test("a backup of a running server that is being written to restores to one moment of it", async () => {
  const { server, api } = await start();
  let running = true;
  const acknowledged: string[] = [];
  const writing = (async () => {
    for (let i = 0; running; i++) {
      const name = `map-${String(i).padStart(5, "0")}`;
      if ((await api.post(maps, { metadata: { name } })).status === 201) acknowledged.push(name);
    }
  })();
  while (acknowledged.length < 50) await new Promise((resolve) => setTimeout(resolve, 5));
  const file = join(directory, "copy");
  const before = acknowledged.length;
  // In a process of its own, so that the writes go on.
  const { spawn } = await import("node:child_process");
  const program = join(process.cwd(), "bin", "orch-apiserver.mjs");
  const backup = spawn(process.execPath, [
    program,
    "store",
    "backup",
    file,
    `--data-dir=${server.dataDirectory}`,
  ]);
  expect(await new Promise((resolve) => backup.once("exit", resolve))).toBe(0);
  running = false;
  await writing;
  expect(statSync(file).mode & 0o077).toBe(0);
  await api.close();

  expect(store(["check", file])).toMatchObject({ status: 0, stdout: expect.stringContaining(": sound;") });
  const restored = join(directory, "restored");
  expect(store(["restore", file, "--data-dir", restored]).status).toBe(0);
  const second = await start(restored);
  const items: { metadata: { name: string } }[] = (await second.api.get(maps)).body.items;
  const names = items.map((item) => item.metadata.name).filter((name) => name.startsWith("map-"));
  expect(names.length).toBeGreaterThanOrEqual(before);
  expect(names).toEqual(acknowledged.slice(0, names.length));
  // Versions seen after the backup are not given out again.
  const created = await second.api.post(maps, { metadata: { name: "later" } });
  expect(Number(created.body.metadata.resourceVersion)).toBeGreaterThan(1_000_000_000);
  await second.api.close();
});

test("restore and check refuse a running store, a store that exists, and a damaged copy", async () => {
  const { server, api } = await start();
  const file = join(directory, "copy");
  expect(store(["backup", file, "--data-dir", server.dataDirectory]).status).toBe(0);
  const checked = store(["check", "--data-dir", server.dataDirectory]);
  expect(checked.status).toBe(1);
  expect(checked.stderr).toContain(`in use by process ${server.pid}`);
  await api.close();
  await server.stop();
  expect(store(["check", "--data-dir", server.dataDirectory]).status).toBe(0);
  expect(store(["backup", join(directory, "offline"), "--data-dir", server.dataDirectory]).status).toBe(0);
  expect(store(["restore", file, "--data-dir", server.dataDirectory]).stderr).toContain(
    "holds a store already",
  );
  const data = join(server.dataDirectory, "store", "data.mdb");
  expect(store(["backup", data, "--data-dir", server.dataDirectory]).stderr).toContain("is the store itself");
  const damaged = readFileSync(file);
  // All but the two pages that say what the file is.
  damaged.fill(0xa5, 2 * 4096);
  writeFileSync(join(directory, "damaged"), damaged);
  const target = join(directory, "from-damaged");
  for (const args of [
    ["check", join(directory, "damaged")],
    ["restore", join(directory, "damaged"), "--data-dir", target],
  ]) {
    const { status, stdout, stderr } = store(args);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: .*(damaged|sound|[Cc]orrupt)/);
  }
  truncateSync(file, 8192);
  expect(store(["check", file]).stderr).toContain("is incomplete");
  expect(store(["restore", file, "--data-dir", join(directory, "new")]).stderr).toContain("is incomplete");
  expect(store(["backup", file, "--data-dir", join(directory, "nothing")]).stderr).toContain(
    "holds no store",
  );
});

test("decode and encode are each other's inverse, from files and standard input", async () => {
  const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"b"}}';
  const encoded = store(["encode"], text);
  expect(encoded.status).toBe(0);
  const yaml = store(["decode", "--output", "yaml"], encoded.bytes);
  expect(yaml.stdout).toBe(
    "apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\nmetadata:\n  creationTimestamp: null\n  name: x\n",
  );
  expect(store(["encode", "-"], yaml.bytes).bytes).toEqual(encoded.bytes);
  const json = store(["encode", "--storage-media-type=application/json"], text);
  expect(JSON.parse(json.stdout)).toMatchObject({ data: { a: "b" } });
});

test.each([
  [["--help"], 0, "Usage:"],
  [["backup", "--help"], 0, "backup FILE"],
  [["restore", "--help"], 0, "--revision-bump"],
  [["check", "-h"], 0, "check [FILE]"],
  [["decode", "--help"], 0, "--output json|yaml"],
  [["encode", "--help"], 0, "--storage-media-type"],
  [["frob"], 1, 'unknown command "store frob"'],
  [["backup"], 1, "needs the name of a file"],
  [["decode", "a", "b"], 1, 'unexpected argument "b"'],
  [["decode", "--output=xml"], 1, '--output: invalid value "xml"'],
  [["restore", "f", "--revision-bump=-1"], 1, "--revision-bump: invalid value"],
  [["encode", "--output=json"], 1, "--output"],
])("store %j exits with %d", (args, status, said) => {
  const ran = store(args);
  expect(ran.status).toBe(status);
  expect(ran.stdout + ran.stderr).toContain(said);
});
