import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CustomObjectsApi, KubeConfig, Watch } from "@kubernetes/client-node";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { apiServices, availability, registerServer } from "../support/api-services.js";
import { clientBinaries } from "../support/client-binaries.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";
import { runClient } from "../support/run-client.js";
import { TestAuthority } from "../support/test-authority.js";

const group = "wardle.example.com";
const base = `/apis/${group}/v1`;
const inDefault = `${base}/namespaces/default/flunders`;
const names = ["flunders.default.svc"];

let directory: string;
let authority: TestAuthority;
let clients: TestAuthority;
let ground: GroundHere;
let extension: ExtensionApiServer;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "aggregation-"));
  authority = await TestAuthority.create("extension servers");
  clients = await TestAuthority.create("front proxies");
  const { certPem, keyPem } = await clients.issue({ commonName: "front-proxy", usage: "client" });
  writeFileSync(join(directory, "proxy.crt"), certPem);
  writeFileSync(join(directory, "proxy.key"), keyPem);
  extension = await ExtensionApiServer.start({
    group,
    version: "v1",
    names,
    authority,
    clientCaPem: clients.caPem,
  });
  ground = await openGroundHere([
    `--proxy-client-cert-file=${join(directory, "proxy.crt")}`,
    `--proxy-client-key-file=${join(directory, "proxy.key")}`,
  ]);
  await register("v1", extension.port);
});

afterAll(async () => {
  await ground.dispose();
  await extension.stop();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  await vi.waitFor(async () => expect((await condition("v1")).status).toBe("True"), { timeout: 60_000 });
  extension.mood = "well";
  extension.requests.length = 0;
});

async function register(
  version: string,
  port: number,
  changes: object = {},
  service?: string,
): Promise<void> {
  const answer = await registerServer(ground.api, { group, version, port, authority, service, changes });
  expect(answer.status).toBe(201);
}

const condition = (version: string) => availability(ground.api, version, group);

async function available(version: string): Promise<void> {
  await expect.poll(async () => (await condition(version)).status).toBe("True");
}

async function kubectl(...args: string[]) {
  return await runClient(clientBinaries().kubectlCurrent, args, {
    kubeconfig: ground.server.kubeconfig,
    home: mkdtempSync(join(directory, "home-")),
  });
}

test("the versions that the server answers itself are registered, with their places in discovery", async () => {
  const { body } = await ground.api.get(apiServices);
  const byName = new Map<
    string,
    { metadata: { labels: object }; spec: object; status: { conditions: object[] } }
  >(body.items.map((item: { metadata: { name: string } }) => [item.metadata.name, item]));
  expect(byName.get("v1.")?.spec).toEqual({ version: "v1", groupPriorityMinimum: 18000, versionPriority: 1 });
  expect(byName.get("v1.apps")).toMatchObject({
    metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
    spec: { group: "apps", version: "v1", groupPriorityMinimum: 17800, versionPriority: 15 },
    status: { conditions: [{ type: "Available", status: "True", reason: "Local" }] },
  });
  expect((await ground.api.get("/readyz/autoregister-completion")).status).toBe(200);
});

test("requests go to the extension server in the name of the user, with nothing that the client made up", async () => {
  const { api } = ground;
  const created = await api.ask("POST", `${inDefault}?fieldManager=x%2Fy`, {
    body: { metadata: { name: "a" }, spec: { fluff: "yes" } },
    headers: {
      "X-Remote-User": "somebody-else",
      "X-Remote-Extra-Scopes": "all",
      "X-Remote-Group": "made-up",
    },
  });
  expect([created.status, created.body.metadata.uid]).toEqual([201, "uid-a"]);
  const seen = extension.requests.findLast(({ method }) => method === "POST");
  expect(seen).toMatchObject({ target: `${inDefault}?fieldManager=x%2Fy`, client: "front-proxy" });
  expect(seen?.headers).toMatchObject({ "x-remote-group": expect.stringContaining("system:masters") });
  expect(seen?.headers["x-remote-user"]).not.toContain("somebody-else");
  expect(seen?.headers).not.toHaveProperty("x-remote-extra-scopes");
  expect(seen?.headers).not.toHaveProperty("authorization");
  expect(seen?.headers["x-remote-group"]).not.toContain("made-up");
});

test("the user's name arrives in UTF-8", async () => {
  const inUtf8 = Buffer.from("\u017dofie").toString("latin1");
  const headers = { "Impersonate-User": inUtf8, "Impersonate-Group": "system:masters" };
  expect((await ground.api.ask("GET", `${inDefault}/a`, { headers })).status).toBe(200);
  expect(extension.requests.at(-1)?.headers).toMatchObject({ "x-remote-user": inUtf8 });
});

test("kubectl and client-node work with it as with any other resource", async () => {
  await ground.api.post(inDefault, { metadata: { name: "table" } });
  const shown = await kubectl("get", "fl");
  expect(shown.stdout).toMatch(/NAME +FLUFF\n/);
  expect(shown.stdout).toMatch(/table +very/);
  expect((await kubectl("api-resources", "--api-group", group)).stdout).toMatch(/flunders +fl +wardle/);
  const config = new KubeConfig();
  config.loadFromFile(ground.server.kubeconfig);
  const client = config.makeApiClient(CustomObjectsApi);
  const list = await client.listNamespacedCustomObject({
    group,
    version: "v1",
    namespace: "default",
    plural: "flunders",
  });
  expect(list.items.length).toBeGreaterThan(0);

  const events: string[] = [];
  const watch = await new Watch(config).watch(
    `${base}/flunders`,
    {},
    (type, object: { metadata: { name: string } }) => events.push(`${type} ${object.metadata.name}`),
    () => undefined,
  );
  await expect.poll(() => extension.requests.some(({ target }) => target.includes("watch=true"))).toBe(true);
  await ground.api.post(inDefault, { metadata: { name: "watched" } });
  await expect.poll(() => events).toEqual(["ADDED watched"]);
  watch.abort();
});

test("an upgrade becomes a connection to the extension server, in both directions", async () => {
  const { tls } = ground.api;
  const echoed = await new Promise<string>((resolve, reject) => {
    const call = httpsRequest(`${ground.server.url}${inDefault}/a/exec?command=ls`, {
      ...tls,
      headers: { Connection: "Upgrade", Upgrade: "echo" },
      agent: false,
    });
    call.on("upgrade", (_response, socket) => {
      socket.once("data", (bytes: Buffer) => {
        socket.destroy();
        resolve(bytes.toString("utf8"));
      });
      socket.write("there and back");
    });
    call.on("response", ({ statusCode }) => reject(new Error(`answered ${statusCode}`)));
    call.on("error", reject);
    call.end();
  });
  expect(echoed).toBe("there and back");
  expect(extension.requests.at(-1)?.target).toBe(`${inDefault}/a/exec?command=ls`);
});

test("connections are used again", async () => {
  for (let count = 0; count < 20; count++) await ground.api.get(inDefault);
  expect(await extension.connections).toBeLessThan(8);
});

test("discovery and OpenAPI have what the extension server says of itself", async () => {
  const { api } = ground;
  const groups = (await api.get("/apis")).body.groups;
  expect(groups.find(({ name }: { name: string }) => name === group).preferredVersion.version).toBe("v1");
  expect((await api.get(base)).body.resources[0].name).toBe("flunders");
  const aggregated = await api.ask("GET", "/apis", {
    headers: { Accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
  });
  const item = aggregated.body.items.find(
    ({ metadata }: { metadata: { name: string } }) => metadata.name === group,
  );
  expect(item.versions[0]).toMatchObject({
    freshness: "Current",
    resources: [{ resource: "flunders", subresources: [{ subresource: "exec" }] }],
  });
  await expect
    .poll(async () => Object.keys((await api.get("/openapi/v2")).body.paths))
    .toContain(`${base}/namespaces/{namespace}/flunders`);
  expect((await api.get("/openapi/v2")).body.definitions).toHaveProperty(["com.example.Flunder"]);
});

test("another version by another server", async () => {
  const second = await ExtensionApiServer.start({
    group,
    version: "v2",
    names: ["other.default.svc"],
    authority,
  });
  try {
    await register("v2", second.port, {}, "other");
    await available("v2");
    expect((await ground.api.get(`/apis/${group}/v2/flunders`)).body.items).toEqual([]);
    expect(
      (await ground.api.get(`/apis/${group}`)).body.versions.map((v: { version: string }) => v.version),
    ).toEqual(["v1", "v2"]);
    await ground.api.delete(`${apiServices}/v2.${group}`);
    expect((await ground.api.get(`/apis/${group}/v2/flunders`)).status).toBe(404);
    expect((await ground.api.get(`${base}/flunders`)).status).toBe(200);
  } finally {
    await second.stop();
  }
});

test("a server that is gone is 503 at once for its own group alone, and serves again when it is back", async () => {
  const second = await ExtensionApiServer.start({
    group,
    version: "v3",
    names: ["gone.default.svc"],
    authority,
  });
  const { port } = second;
  await register("v3", port, {}, "gone");
  await available("v3");
  await second.stop();
  // Before the next check a request finds out by itself.
  const answer = await ground.api.get(`/apis/${group}/v3/flunders`);
  expect([answer.status, answer.headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
  await ground.api.patch("/api/v1/namespaces/default/services/gone", "application/merge-patch+json", {
    metadata: { labels: { look: "again" } },
  });
  await expect.poll(async () => (await condition("v3")).reason).toBe("FailedDiscoveryCheck");
  expect((await condition("v3")).message).toContain("connection refused");
  const resources = await kubectl("api-resources");
  expect(resources.stdout).toContain("deployments");
  expect(resources.stdout).toContain("flunders");
  const metrics = (await ground.api.get("/metrics")).text;
  expect(metrics).toContain(`aggregator_unavailable_apiservice{name="v3.${group}"} 1`);
  const back = await ExtensionApiServer.start(
    { group, version: "v3", names: ["gone.default.svc"], authority },
    port,
  );
  await available("v3");
  expect((await ground.api.get(`/apis/${group}/v3/flunders`)).status).toBe(200);
  await back.stop();
  await ground.api.delete(`${apiServices}/v3.${group}`);
});

test.each([
  ["hangs", "hangs", {}, /context deadline exceeded/],
  ["answers with an error", "broken", {}, /bad status from .*: 500/],
  ["has a certificate of another authority", "well", { caBundle: undefined }, /certificate/],
  ["has a certificate for another name", "well", { wrongName: true }, /Hostname|certificate|altnames/],
] as const)(
  "a server that %s is not available, and the condition says why",
  async (_what, mood, how, message) => {
    const wrongName = "wrongName" in how;
    const service = `bad-${mood}-${wrongName || "caBundle" in how ? (wrongName ? "name" : "ca") : "server"}`;
    const bad = await ExtensionApiServer.start({
      group,
      version: "v9",
      names: [wrongName ? "somebody.else.svc" : `${service}.default.svc`],
      authority,
    });
    bad.mood = mood;
    try {
      const changes = "caBundle" in how ? { caBundle: undefined } : {};
      await register("v9", bad.port, changes, service);
      await expect.poll(async () => (await condition("v9")).reason).toBe("FailedDiscoveryCheck");
      expect((await condition("v9")).message).toMatch(message);
      expect((await ground.api.get(`/apis/${group}/v9/flunders`)).status).toBe(503);
      expect((await ground.api.get("/apis/apps/v1/deployments")).status).toBe(200);
    } finally {
      await ground.api.delete(`${apiServices}/v9.${group}`);
      await bad.stop();
    }
  },
);

test("a certificate is not looked at where the API service says so", async () => {
  const lax = await ExtensionApiServer.start({ group, version: "v8", names: ["whoever"], authority });
  try {
    await register("v8", lax.port, { caBundle: undefined, insecureSkipTLSVerify: true }, "lax");
    await available("v8");
    expect((await ground.api.get(`/apis/${group}/v8/flunders`)).status).toBe(200);
  } finally {
    await ground.api.delete(`${apiServices}/v8.${group}`);
    await lax.stop();
  }
});

test("discovery that is no JSON is passed on as it is and harms nobody else", async () => {
  extension.mood = "garbage";
  expect((await ground.api.get(base)).text).toContain("not even nearly");
  expect((await ground.api.get("/openapi/v2")).status).toBe(200);
  expect((await ground.api.get("/apis")).status).toBe(200);
});

test("an API service without its service says what is missing", async () => {
  await ground.api.post(apiServices, {
    metadata: { name: `v7.${group}` },
    spec: {
      group,
      version: "v7",
      groupPriorityMinimum: 2000,
      versionPriority: 10,
      service: { namespace: "default", name: "nothing" },
    },
  });
  await expect
    .poll(async () => await condition("v7"))
    .toMatchObject({
      status: "False",
      reason: "ServiceNotFound",
      message: 'service/nothing in "default" is not present',
    });
  const gone = await ground.api.get(`/apis/${group}/v7/flunders`);
  expect([gone.status, gone.text]).toEqual([503, "service unavailable\n"]);
});

test.each([
  ["of a version of this server", "v1.apps", "Local"],
  ["of an extension server", `v1.${group}`, "Passed"],
])("the condition of an API service %s comes back when somebody takes it away", async (_, name, reason) => {
  const path = `${apiServices}/${name}`;
  const conditions = async () => (await ground.api.get(path)).body.status.conditions;
  await expect.poll(conditions).toMatchObject([{ type: "Available", reason }]);
  const { body } = await ground.api.get(path);
  const emptied = await ground.api.ask("PUT", `${path}/status`, { body: { ...body, status: {} } });
  expect([emptied.status, emptied.body.status]).toEqual([200, {}]);
  await expect.poll(conditions).toMatchObject([{ type: "Available", reason }]);
});
