import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiLevel } from "../../src/index.js";
import { createNaming, type ProfileName } from "../../src/naming/naming.js";
import { runStoreCommand } from "../../src/server/store-commands/store-command.js";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { disposeAll, type ServerProcess, startServer, type TestServer } from "../support/server-process.js";

const maps = "/api/v1/namespaces/default/configmaps";
const started: TestServer[] = [];
let directory: string;

const anything = { rule: "RunAsAny" };
const anyoneMay = {
  seLinux: anything,
  runAsUser: anything,
  supplementalGroups: anything,
  fsGroup: anything,
};

const gatedPod = (name: string) => ({
  metadata: { name },
  spec: {
    schedulingGates: [{ name: "example.com/wait" }],
    containers: [
      { name: "c", image: "i", resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] },
    ],
  },
});

const conditionalHook = {
  metadata: { name: "hook" },
  webhooks: [
    {
      name: "hook.example.com",
      clientConfig: { url: "https://127.0.0.1:1" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      matchConditions: [{ name: "never", expression: "false" }],
    },
  ],
};

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

/** In the test's own process, which a damaged file may end. */
async function storeHere(args: readonly string[], profile: ProfileName = "orch") {
  const printed = { stdout: "", stderr: "" };
  const status = await runStoreCommand(args, {
    naming: createNaming(profile),
    stdin: Readable.from([]),
    stdout: (text) => {
      printed.stdout += text;
    },
    stderr: (text) => {
      printed.stderr += text;
    },
  });
  return { status, ...printed };
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
    "already holds a store",
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
  expect(store(["backup", file, "--data-dir", join(directory, "nothing")]).stderr).toContain("has no store");
  const missing = join(directory, "missing");
  expect(store(["check", missing]).stderr).toBe(`error: ${missing} does not exist\n`);
  expect(store(["restore", missing, "--data-dir", join(directory, "unmade")]).stderr).toBe(
    `error: ${missing} does not exist\n`,
  );
  expect(existsSync(join(directory, "unmade"))).toBe(false);
});

test("check tells what a level would not show", async () => {
  const dataDirectory = join(directory, "data");
  const startAt = async (level: ApiLevel, ...args: readonly string[]) => {
    const server = await startServerHere({
      profile: "kubernetes",
      dataDirectory,
      args: [`--api-level=${level}`, ...args],
    });
    started.push(server);
    return { server, api: new ApiClient(server) };
  };
  const made = async (api: ApiClient, path: string, object: object) => {
    const { status, text } = await api.post(path, object);
    expect(status, text).toBe(201);
  };
  const policy = { metadata: { name: "open" }, spec: anyoneMay };
  const old = await startAt("1.24");
  await made(old.api, "/apis/policy/v1beta1/podsecuritypolicies", policy);
  await old.api.close();
  await old.server.stop();

  const { api, server } = await startAt("1.35");
  const pods = "/api/v1/namespaces/default/pods";
  for (const name of ["a", "b", "c", "d"]) await made(api, pods, gatedPod(name));
  await made(api, pods, { metadata: { name: "plain" }, spec: { containers: [{ name: "c", image: "i" }] } });
  const admission = "/apis/admissionregistration.k8s.io/v1";
  await made(api, `${admission}/validatingwebhookconfigurations`, conditionalHook);
  await made(api, `${admission}/validatingadmissionpolicies`, {
    metadata: { name: "yes" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] }],
      },
      validations: [{ expression: "true" }],
    },
  });
  await api.close();
  await server.stop();

  const check = async (level: string, ...more: readonly string[]) => {
    const args = ["check", "--data-dir", dataDirectory, `--api-level=${level}`, ...more];
    const { status, stdout, stderr } = await storeHere(args, "kubernetes");
    return { status, stderr, lines: stdout.trimEnd().split("\n").slice(1) };
  };
  const older = await check("1.23");
  expect(older).toMatchObject({ status: 0, stderr: "" });
  expect(older.lines[0]).toBe("API level 1.23 does not show:");
  expect(older.lines).toContain("  validatingadmissionpolicies.admissionregistration.k8s.io: 1 object (yes)");
  expect(older.lines).toContain(
    "  pods spec.schedulingGates: 4 objects (default/a, default/b, default/c, …)",
  );
  expect(older.lines).toContain(
    "  pods spec.containers[*].resizePolicy: 4 objects (default/a, default/b, default/c, …)",
  );
  expect(older.lines).toContain(
    "  validatingwebhookconfigurations.admissionregistration.k8s.io webhooks[*].matchConditions: 1 object (hook)",
  );
  expect(older.lines.join()).not.toMatch(/plain|podsecuritypolicies/);
  expect((await check("1.36")).lines).toEqual([
    "API level 1.36 does not show:",
    "  podsecuritypolicies.policy: 1 object (open)",
  ]);
  expect((await check("1.36", "--store-prefix=/elsewhere")).lines).toEqual([
    "API level 1.36 shows all of it",
  ]);
  expect(await check("1.22")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^error: --api-level: invalid value "1.22", allowed values: 1.23, /),
  });
});

test("decode and encode are each other's inverse, from files and standard input", async () => {
  const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"b"}}';
  const encoded = store(["encode"], text);
  expect(encoded.status).toBe(0);
  const yaml = store(["decode", "--output", "yaml"], encoded.bytes);
  expect(yaml.stdout).toBe("apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\nmetadata:\n  name: x\n");
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
  [["backup"], 1, "FILE is required"],
  [["backup", "-"], 1, "FILE must be a file, not standard input or output"],
  [["decode", "a", "b"], 1, 'unexpected argument "b"'],
  [["decode", "--output=xml"], 1, '--output: invalid value "xml"'],
  [["restore", "f", "--revision-bump=-1"], 1, "--revision-bump: invalid value"],
  [["encode", "--output=json"], 1, "--output"],
])("store %j exits with %d", async (args, status, said) => {
  const ran = await storeHere(args);
  expect(ran.status).toBe(status);
  expect(ran.stdout + ran.stderr).toContain(said);
});
