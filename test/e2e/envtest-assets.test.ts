import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { freePorts } from "../support/free-ports.js";

const home = mkdtempSync(join(tmpdir(), "envtest-"));
const assets = join(home, "the assets");
const run = promisify(execFile);
const started: ChildProcess[] = [];

const command = join(process.cwd(), "bin/orch-apiserver.mjs");

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [command, "envtest-assets", assets]);
  expect(stdout).toBe(`export KUBEBUILDER_ASSETS='${assets}'\n`);
});

afterAll(async () => {
  await Promise.all(started.map(stop));
  rmSync(home, { recursive: true, force: true });
});

/** Starts one of the assets as envtest does. */
function start(name: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(join(assets, name), args, { stdio: "ignore" });
  started.push(child);
  return child;
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill("SIGTERM");
  await once(child, "exit");
  return child.exitCode;
}

/** Waits until the URL answers 200, as envtest does. */
async function healthy(url: string, isHealthy: (url: string) => Promise<boolean>): Promise<void> {
  await expect.poll(() => isHealthy(url).catch(() => false)).toBe(true);
}

const answers200 = async (url: string) => (await fetch(url)).status === 200;

test("a control plane is started, restarted and stopped with the assets, and keeps what it has where etcd would", async () => {
  const [storePort, port] = await freePorts(2);
  const storeUrl = `http://127.0.0.1:${storePort}`;
  const dataDirectory = join(home, "etcd-data");
  mkdirSync(dataDirectory);
  const store = start(
    "etcd",
    `--advertise-client-urls=${storeUrl}`,
    `--data-dir=${dataDirectory}`,
    `--listen-client-urls=${storeUrl}`,
    "--listen-peer-urls=http://127.0.0.1:1",
    "--unsafe-no-fsync=true",
  );
  await healthy(`${storeUrl}/health`, answers200);

  const certificates = join(home, "certificates");
  const kubeconfig = join(home, "config");
  const startServer = async () => {
    const server = start(
      "kube-apiserver",
      "--allow-privileged=true",
      "--authorization-mode=RBAC",
      "--bind-address=127.0.0.1",
      `--cert-dir=${certificates}`,
      "--disable-admission-plugins=ServiceAccount",
      `--etcd-servers=${storeUrl}`,
      `--secure-port=${port}`,
      "--service-cluster-ip-range=10.0.0.0/24",
      `--write-kubeconfig=${kubeconfig}`,
    );
    await expect.poll(() => existsSync(kubeconfig)).toBe(true);
    const url = `https://127.0.0.1:${port}`;
    const api = new ApiClient({ url, kubeconfig });
    await healthy("/healthz", async (path) => (await api.get(path)).status === 200);
    return { server, api };
  };

  const first = await startServer();
  const maps = "/api/v1/namespaces/default/configmaps";
  const kept = await first.api.post(maps, { metadata: { name: "kept" }, unknown: 1 });
  expect([kept.status, kept.headers.warning]).toEqual([201, '299 - "unknown field \\"unknown\\""']);
  // A lone API server has none.
  expect((await first.api.get("/api/v1/namespaces/default/serviceaccounts")).body.items).toEqual([]);
  expect((await first.api.get("/api/v1/namespaces/default/services/kubernetes")).status).toBe(200);
  await first.api.close();
  expect(await stop(first.server)).toBe(0);
  rmSync(kubeconfig);

  const second = await startServer();
  expect((await second.api.get(`${maps}/kept`)).status).toBe(200);
  await second.api.close();
  expect(await stop(second.server)).toBe(0);
  expect(await stop(store)).toBe(0);
  expect(existsSync(join(dataDirectory, "server/store"))).toBe(true);
});

test("assets of a level start, and say which options they have", async () => {
  const later = join(home, "later");
  await run(process.execPath, [command, "envtest-assets", later, "--api-level=1.35"]);
  const { stdout } = await run(join(later, "kube-apiserver"), ["--help"]);
  expect(stdout).not.toContain("--insecure-port");
  const version = await run(join(later, "kube-apiserver"), ["--version"]);
  expect(version.stdout).toContain("v1.35.0");
  await expect(
    run(process.execPath, [command, "envtest-assets", later, "--api-level=2"]),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: --api-level: invalid value "2", allowed values: 1.23, /),
  });
});

test("assets start the server with further options", async () => {
  const stormy = join(home, "stormy");
  await run(process.execPath, [command, "envtest-assets", stormy, "--", "--lab", "--lab-storm=rain"]);
  await expect(run(join(stormy, "kube-apiserver"), ["--secure-port=0"])).rejects.toMatchObject({
    stderr: expect.stringContaining("--lab-storm: invalid value"),
  });
});

test("the assets say which options they have", async () => {
  expect((await run(join(assets, "kube-apiserver"), ["--help"])).stdout).toMatch(/^ +--etcd-servers\b/m);
  expect((await run(join(assets, "etcd"), ["--help"])).stdout).not.toContain("unsafe-no-fsync");
});

test("assets are written over those of before, and not into a file", async () => {
  expect((await run(process.execPath, [command, "envtest-assets", assets])).stdout).toContain(assets);
  const file = join(home, "file");
  writeFileSync(file, "");
  await expect(run(process.execPath, [command, "envtest-assets", file])).rejects.toMatchObject({
    code: 1,
    stderr: `error: ${file} is not a directory\n`,
  });
  await expect(run(process.execPath, [command, "envtest-assets"])).rejects.toMatchObject({ code: 1 });
});
