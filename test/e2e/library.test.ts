import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";
import { CoreApi, CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { expect, test, vi } from "vitest";

/** The built package, as a program imports it; its types are those of the source. */
const built = join(process.cwd(), "bin/library.mjs");
const { startApiServer }: typeof import("../../src/index.js") = await import(built);

test("a program starts a server, works with it and stops it", async () => {
  const server = await startApiServer();
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  expect(config.getCurrentCluster()?.server).toBe(server.url);
  expect(server.caCert).toContain("BEGIN CERTIFICATE");
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: "test" } } });
  expect((await core.readNamespace({ name: "test" })).status?.phase).toBe("Active");
  const { serverAddressByClientCIDRs } = await config.makeApiClient(CoreApi).getAPIVersions();
  expect(serverAddressByClientCIDRs[0]?.serverAddress).toMatch(`:${new URL(server.url).port}`);
  await server.stop();
  await server.stop();
  await expect(core.listNamespace()).rejects.toThrow();
});

test("a test whose runner has a realm and a loader of its own starts a server", async () => {
  const file = createRequire(join(process.cwd(), "package.json")).resolve("orch-apiserver");
  const module: { exports?: typeof import("../../src/index.js") } = {};
  const load = (name: string) => {
    if (name === "node:vm") return vm;
    throw new Error(`${name} is asked of a loader that knows no modules of Node.js`);
  };
  vm.runInNewContext(readFileSync(file, "utf8"), { module, require: load, __filename: file });
  const server = await module.exports?.startApiServer();
  expect(server?.url).toMatch(/^https:/);
  await server?.stop();
});

test("a program that waits can be looked into", async () => {
  const server = await startApiServer();
  const closed = await startApiServer({ options: { console: "off" } });
  try {
    const link = (await server.consoleLink()) ?? "";
    expect(link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/console\/#link=[\w-]{43}$/);
    expect(link.startsWith(server.url)).toBe(true);
    expect(await closed.consoleLink()).toBeUndefined();
  } finally {
    await Promise.all([server.stop(), closed.stop()]);
  }
});

test("permissions of other users are tried with a kubeconfig for them", async () => {
  const server = await startApiServer();
  const coreOf = (kubeconfig: string) => {
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    return config.makeApiClient(CoreV1Api);
  };
  try {
    const admin = coreOf(server.kubeconfig);
    await admin.createNamespace({ body: { metadata: { name: "test" } } });
    await admin.createNamespacedServiceAccount({ namespace: "test", body: { metadata: { name: "robot" } } });
    const list = async (kubeconfig: Promise<string>) => {
      try {
        return (await coreOf(await kubeconfig).listNamespacedPod({ namespace: "test" })).items;
      } catch (error) {
        return String(error).replaceAll("\\", "");
      }
    };
    expect(await list(server.kubeconfigFor({ user: "jane", groups: ["devs"] }))).toContain(
      'User "jane" cannot list resource "pods"',
    );
    const serviceAccount = { namespace: "test", name: "robot" };
    expect(await list(server.kubeconfigFor({ serviceAccount }))).toContain(
      'User "system:serviceaccount:test:robot" cannot list',
    );
    expect(await list(server.kubeconfigFor({ user: "root", groups: ["system:masters"] }))).toEqual([]);
    await expect(
      server.kubeconfigFor({ serviceAccount: { namespace: "test", name: "nobody" } }),
    ).rejects.toThrow('serviceaccounts "nobody" not found');
  } finally {
    await server.stop();
  }
});

test("options count that have a name of their own too", async () => {
  const directory = mkdtempSync(join(tmpdir(), "library-"));
  const path = join(directory, "config");
  const server = await startApiServer({
    options: {
      apiProfile: "orch",
      bindAddress: "127.0.0.2",
      dataDir: directory,
      writeKubeconfig: path,
    },
  });
  try {
    expect(server.url).toMatch("//127.0.0.2:");
    expect(readFileSync(path, "utf8")).toBe(server.kubeconfig);
    expect(server.kubeconfig).toContain('name: "orch"');
  } finally {
    await server.stop();
  }
  expect(readdirSync(directory)).toContain("store");
  rmSync(directory, { recursive: true });
});

test("two servers in one process do not know each other", async () => {
  const [a, b] = await Promise.all([startApiServer(), startApiServer({ profile: "orch" })]);
  expect(a.url).not.toBe(b.url);
  await Promise.all([a.stop(), b.stop()]);
});

test("a start that cannot succeed says why, and leaves nothing behind", async () => {
  const directory = mkdtempSync(join(tmpdir(), "library-"));
  vi.stubEnv("TMPDIR", directory);
  try {
    await expect(startApiServer({ options: { tokenAuthFile: "/nothing" } })).rejects.toThrow("/nothing");
    // A program without types may ask for anything.
    const misspelt: object = { requestTimeout: 5000 };
    await expect(startApiServer({ options: misspelt })).rejects.toThrow(
      "options.requestTimeout: unknown option",
    );
    await expect(startApiServer(misspelt)).rejects.toThrow("requestTimeout: unknown setting");
    const simulate: object = { nodez: 3 };
    await expect(startApiServer({ simulate })).rejects.toThrow("simulate.nodez: unknown setting");
    const mistyped: object = { requestTimeoutMs: "5s" };
    await expect(startApiServer({ options: mistyped })).rejects.toThrow(/^options.requestTimeoutMs: /);
    const nowhere: object = { profile: "k3s" };
    await expect(startApiServer(nowhere)).rejects.toThrow('profile: invalid value "k3s", allowed values: ');
    expect(readdirSync(directory)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  }
});

test.each<[Parameters<typeof startApiServer>[0], string | RegExp]>([
  [{ port: 99999 }, /^port: .*99999/],
  [{ options: { securePort: 99999 } }, /^options\.securePort 99999 must be between 1 and 65535/],
  [{ host: "192.0.2.1" }, /^host: .*EADDRNOTAVAIL/],
  [{ host: "nowhere.invalid" }, /^host: getaddrinfo/],
  [{ dataDirectory: "/dev/null/data" }, /^dataDirectory: ENOTDIR/],
  [{ options: { dataDir: "/dev/null/data" } }, /^options\.dataDir: ENOTDIR/],
  [{ options: { goawayChance: 7 } }, "options.goawayChance can not be less than 0 or greater than 0.02"],
  [{ options: { requestTimeoutMs: -1 } }, /^options\.requestTimeoutMs /],
  [{ options: { writeKubeconfig: "/nothing/config" } }, /^options\.writeKubeconfig: ENOENT/],
  [
    { options: { tlsCertFile: "a" } },
    "options.tlsPrivateKeyFile: required when options.tlsCertFile is given",
  ],
  [{ options: { corsAllowedOrigins: ["("] } }, 'options.corsAllowedOrigins: "(" is not a regular expression'],
  [
    { options: { runtimeConfig: new Map([["apps/v7", "true"]]) } },
    "options.runtimeConfig: group version apps/v7 that has not been registered",
  ],
])("a start with %j is refused in the words of the library", async (settings, message) => {
  const start = startApiServer(settings);
  await expect(start).rejects.toThrow(message);
  await expect(start).rejects.not.toThrow(/(^|\s)--[a-z]/);
});

test("a port that is taken is named", async () => {
  const server = await startApiServer();
  const port = Number(new URL(server.url).port);
  await expect(startApiServer({ port })).rejects.toThrow(/^port: .*EADDRINUSE/);
  await server.stop();
});

test("certificates of users need the server's own authority", async () => {
  const first = await startApiServer();
  const directory = mkdtempSync(join(tmpdir(), "library-"));
  const clientCaFile = join(directory, "ca.crt");
  writeFileSync(clientCaFile, first.caCert);
  const server = await startApiServer({ options: { clientCaFile } });
  await expect(server.kubeconfigFor({ user: "jane" })).rejects.toThrow(
    "options.clientCaFile: names another authority",
  );
  await Promise.all([first.stop(), server.stop()]);
  rmSync(directory, { recursive: true });
});
