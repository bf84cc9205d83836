import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { freePort } from "../support/free-ports.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";

const started: ServerProcess[] = [];
/** `nobody` on most systems; the superuser alone can start a process as somebody else. */
const anotherUser = 65_534;
const isSuperuser = process.getuid?.() === 0;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "files-"));
});

afterEach(async () => {
  await disposeAll(started);
  rmSync(home, { recursive: true, force: true });
});

async function start(dataDirectory: string, args: readonly string[] = []): Promise<ServerProcess> {
  const server = await startServer({ dataDirectory, args });
  started.push(server);
  return server;
}

/** A start that should fail: its exit status, and what it printed. */
async function failedStart(
  dataDirectory: string,
  { args = [], uid }: { readonly args?: readonly string[]; readonly uid?: number } = {},
): Promise<{ status: number; output: string }> {
  const child = spawn(
    process.execPath,
    [
      join(process.cwd(), "bin/kube-apiserver.mjs"),
      "--bind-address=127.0.0.1",
      `--secure-port=${await freePort()}`,
      `--data-dir=${dataDirectory}`,
      `--cert-dir=${join(dataDirectory, "pki")}`,
      ...args,
    ],
    { stdio: ["ignore", "pipe", "pipe"], ...(uid !== undefined && { uid, gid: uid }) },
  );
  let output = "";
  const collect = (piece: Buffer): void => {
    output += piece.toString();
    // It should not have come up.
    if (output.includes(" is ready on ")) child.kill();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  await once(child, "close");
  return { status: child.exitCode ?? -1, output };
}

/** Modes below a directory, by path. */
function modes(directory: string, below = directory): Record<string, string> {
  return Object.fromEntries(
    readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
      const path = join(below, entry.name);
      const mode = (statSync(path).mode & 0o777).toString(8);
      const own: [string, string] = [relative(directory, path), mode];
      return entry.isDirectory() ? [own, ...Object.entries(modes(directory, path))] : [own];
    }),
  );
}

test.each([0, 0o022, 0o077])("with umask %o, what is secret is for its owner alone", async (umask) => {
  const data = join(home, "new", "data");
  const policy = join(home, "policy.yaml");
  writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n");
  const before = process.umask(umask);
  try {
    const server = await start(data, [
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${join(data, "audit", "log")}`,
      `--write-kubeconfig=${join(home, "kubeconfig")}`,
    ]);
    const api = new ApiClient(server);
    expect((await api.get("/api/v1/namespaces")).status).toBe(200);
    await api.close();
  } finally {
    process.umask(before);
  }
  const found = modes(data);
  const open = Object.entries(found).filter(([, mode]) => !/[67]00$/.test(mode));
  // Public files are public whatever the umask, in a directory that is not.
  expect(open.map(([path]) => path).sort()).toEqual([
    "pki/admin.crt",
    "pki/apiserver.crt",
    "pki/ca.crt",
    "pki/front-proxy-ca.crt",
    "pki/front-proxy-client.crt",
    "pki/sa.pub",
  ]);
  expect(found).toMatchObject({
    "pki/ca.crt": "644",
    "pki/ca.key": "600",
    "pki/front-proxy-ca.key": "600",
    "pki/front-proxy-client.key": "600",
    "pki/sa.key": "600",
    "admin.kubeconfig": "600",
    "store/data.log": "600",
    "store/data.mdb": "600",
    "store/owner.json": "600",
    "audit/log": "600",
  });
  expect((statSync(data).mode & 0o777).toString(8)).toBe("700");
  expect((statSync(join(home, "kubeconfig")).mode & 0o777).toString(8)).toBe("600");
});

test("a store and an administrator's file that others could read no longer are after a start", async () => {
  const data = join(home, "data");
  await (await start(data)).stop();
  for (const name of ["data.mdb", "data.log"]) chmodSync(join(data, "store", name), 0o644);
  chmodSync(join(data, "admin.kubeconfig"), 0o666);
  await start(data);
  expect(modes(data)).toMatchObject({
    "store/data.log": "600",
    "store/data.mdb": "600",
    "admin.kubeconfig": "600",
  });
});

test("a kubeconfig that is there is replaced whole, mode and content, and a link in its place is not followed", async () => {
  const file = join(home, "kubeconfig");
  const mine = join(home, "mine");
  writeFileSync(file, "another cluster\n", { mode: 0o644 });
  const server = await start(join(home, "data"), [`--write-kubeconfig=${file}`]);
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect(readFileSync(file, "utf8")).toContain(`server: "https://127.0.0.1:${server.port}"`);
  await server.stop();
  writeFileSync(mine, "mine\n", { mode: 0o644 });
  rmSync(file);
  symlinkSync(mine, file);
  await start(join(home, "data"), [`--write-kubeconfig=${file}`]);
  expect(readFileSync(mine, "utf8")).toBe("mine\n");
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
});

test("a link to a data directory is followed; one to nowhere and a file are refused by name", async () => {
  const real = join(home, "real");
  const link = join(home, "link");
  mkdirSync(real, { mode: 0o700 });
  symlinkSync(real, link);
  const server = await start(link);
  expect(readdirSync(real)).toContain("store");
  // The same directory by another name: one process at a time.
  const twice = await failedStart(real);
  expect(twice).toMatchObject({
    status: 1,
    output: expect.stringMatching(new RegExp(`^error: .*${real}.* is in use by process ${server.pid}`, "m")),
  });
  symlinkSync(join(home, "nowhere"), join(home, "dangling"));
  writeFileSync(join(home, "file"), "");
  for (const name of ["dangling", "file"]) {
    const { status, output } = await failedStart(join(home, name));
    expect(status).toBe(1);
    expect(output).toMatch(new RegExp(`error: --data-dir: .*${join(home, name)}`));
    expect(output).not.toMatch(/^ {4}at /m);
  }
});

test("a key that is a link to somebody's file is read, never written through", async () => {
  const data = join(home, "data");
  const elsewhere = join(home, "elsewhere");
  await (await start(data)).stop();
  const key = join(data, "pki", "sa.key");
  writeFileSync(elsewhere, readFileSync(key), { mode: 0o600 });
  rmSync(key);
  symlinkSync(elsewhere, key);
  const before = readFileSync(elsewhere, "utf8");
  await start(data);
  expect(readFileSync(elsewhere, "utf8")).toBe(before);
  expect(lstatSync(key).isSymbolicLink()).toBe(true);
});

test.runIf(isSuperuser)("a data directory that cannot be written is refused by name", async () => {
  chmodSync(home, 0o755);
  const data = join(home, "data");
  mkdirSync(data, { mode: 0o700 });
  for (const path of [data, join(data, "below")]) {
    const { status, output } = await failedStart(path, { uid: anotherUser });
    expect(status).toBe(1);
    expect(output).toMatch(new RegExp(`error: --(data|cert)-dir: EACCES.*${path}`));
  }
});

test.runIf(isSuperuser)(
  "a directory of others, and keys that others read, take a line of the log each",
  async () => {
    const data = join(home, "data");
    const first = await start(data);
    expect(first.output()).not.toMatch(/other users|another user/);
    await first.stop();
    chmodSync(data, 0o777);
    chmodSync(join(data, "pki", "sa.key"), 0o644);
    chownSync(join(data, "pki"), anotherUser, anotherUser);
    const output = (await start(data)).output();
    const lines = output
      .split("\n")
      .filter((line) => line.includes("other users") || line.includes("another user"));
    expect(lines).toEqual([
      expect.stringMatching(/^W .*other users have access \(mode 777\).*data"$/),
      expect.stringMatching(/^W .*belongs to another user, with id 65534.*pki"$/),
      expect.stringMatching(/^W .*other users have access \(mode 644\).*sa\.key"$/),
    ]);
  },
);
