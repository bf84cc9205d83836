import { once } from "node:events";
import { request } from "node:https";
import { type TestContext, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { type ServerProcess, startServer, type TestServer } from "../support/server-process.js";

interface Started<Server extends TestServer> {
  readonly server: Server;
  readonly api: ApiClient;
}

async function start(context: TestContext, ...args: readonly string[]): Promise<Started<ServerHere>> {
  return untilEnd(context, await startServerHere({ args }));
}

/** One that is stopped by a signal. */
async function startProcess(
  context: TestContext,
  ...args: readonly string[]
): Promise<Started<ServerProcess>> {
  return untilEnd(context, await startServer({ args }));
}

function untilEnd<Server extends TestServer>(
  { onTestFinished }: TestContext,
  server: Server,
): Started<Server> {
  const api = new ApiClient(server);
  onTestFinished(async () => {
    await api.close();
    await server.dispose();
  });
  return { server, api };
}

/** All checks, in the names of this profile and in the order of kube-apiserver 1.23. */
const hooks = [
  "start-kube-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "bootstrap-controller",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "start-cluster-authentication-info-controller",
  "aggregator-reload-proxy-client-cert",
  "start-kube-aggregator-informers",
  "apiservice-registration-controller",
  "apiservice-status-available-controller",
  "kube-apiserver-autoregistration",
];
const hookChecks = [
  ...hooks.map((name) => `poststarthook/${name}`),
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
];

test.concurrent("every check has a line, a path and can be left out", async (context) => {
  const { expect } = context;
  const { api } = await start(context);
  const everywhere = ["ping", "log", "etcd"];
  for (const [endpoint, names] of [
    ["healthz", [...everywhere, ...hookChecks]],
    ["livez", [...everywhere, ...hookChecks]],
    ["readyz", [...everywhere, "informer-sync", ...hookChecks, "shutdown"]],
  ] as const) {
    expect((await api.get(`/${endpoint}`)).text).toBe("ok");
    const verbose = (await api.get(`/${endpoint}?verbose`)).text.split("\n");
    expect(verbose).toEqual([...names.map((name) => `[+]${name} ok`), `${endpoint} check passed`, ""]);
    for (const name of names) {
      expect([name, (await api.get(`/${endpoint}/${name}`)).text]).toEqual([name, "ok"]);
      expect((await api.get(`/${endpoint}?verbose&exclude=${name}`)).text).toContain(
        `[+]${name} excluded: ok\n`,
      );
    }
    expect((await api.get(`/${endpoint}/moon`)).status).toBe(404);
  }
});

test.concurrent("requests under fixed limits have a check of their own", async (context) => {
  const { expect } = context;
  const { api } = await start(context, "--enable-priority-and-fairness=false");
  const { text } = await api.get("/readyz?verbose");
  expect(text).toContain("[+]poststarthook/max-in-flight-filter ok\n");
  expect(text).not.toContain("priority-and-fairness-filter");
  expect(text).not.toContain("priority-and-fairness-config-consumer");
  expect(text).toContain("[+]poststarthook/priority-and-fairness-config-producer ok\n");
});

test.concurrent("where everything is allowed only health checks need no credentials, and the operator is told", async (context) => {
  const { expect } = context;
  const { server } = await start(context, "--authorization-mode=AlwaysAllow", "--anonymous-auth=true");
  const nobody = new ApiClient(server, { anonymous: true });
  context.onTestFinished(() => nobody.close());
  for (const path of ["/healthz", "/livez/ping", "/readyz?verbose"]) {
    expect([path, (await nobody.get(path)).status]).toEqual([path, 200]);
  }
  for (const path of ["/", "/version", "/metrics", "/api/v1/secrets", "/debug/pprof/", "/livez/../api"]) {
    expect([path, (await nobody.get(path)).status]).toEqual([path, 401]);
  }
  const secret = { metadata: { name: "a" } };
  expect((await nobody.post("/api/v1/namespaces/default/secrets", secret)).status).toBe(401);
  // It listens on loopback: there is nothing to mend.
  expect(server.output()).toMatch(/^I \S+ anonymous requests are not allowed/m);
  expect(server.output()).not.toMatch(/^[WE] /m);
});

test.concurrent("while the shutdown is delayed the server serves, lives, and is not ready", async (context) => {
  const { expect } = context;
  const { server, api } = await startProcess(context, "--shutdown-delay-duration=10s");
  const stopped = server.stop("SIGTERM");
  await expect.poll(async () => (await api.get("/readyz")).status).toBe(500);
  expect((await api.get("/readyz")).text).toContain("[-]shutdown failed: reason withheld\n");
  expect((await api.get("/readyz/shutdown")).text).toBe("internal server error: process is shutting down\n");
  expect((await api.get("/livez")).status).toBe(200);
  expect((await api.get("/healthz")).status).toBe(200);
  const created = await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "late" } });
  expect(created.status).toBe(201);
  expect(await stopped).toBe(0);
});

test.concurrent("while a server that sends others away drains, what is under way ends as usual", async (context) => {
  const { expect } = context;
  const { server, api } = await startProcess(context, "--shutdown-send-retry-after");
  const body = JSON.stringify({ metadata: { name: "slow" } });
  const slow = request(`${server.url}/api/v1/namespaces/default/configmaps`, {
    ...api.tls,
    method: "POST",
    headers: { "content-type": "application/json", "content-length": body.length, expect: "100-continue" },
  });
  slow.flushHeaders();
  // The server waits for the body.
  await once(slow, "continue");
  const stopped = server.stop("SIGTERM");
  await expect.poll(async () => (await api.get("/api/v1/namespaces")).status).toBe(429);
  const { headers } = await api.get("/api/v1/namespaces");
  expect(headers).toMatchObject({ "retry-after": "5", connection: "close" });
  expect((await api.get("/livez")).status).toBe(200);
  slow.end(body);
  const [answer] = await once(slow, "response");
  expect(answer.statusCode).toBe(201);
  answer.resume();
  expect(await stopped).toBe(0);
});

test.concurrent("/version and the list of paths", async (context) => {
  const { expect } = context;
  const { api } = await start(context);
  expect((await api.get("/version")).body).toMatchObject({ major: "1", minor: "23" });
  expect((await api.get("/")).body.paths).toEqual(
    expect.arrayContaining([
      "/api",
      "/api/v1",
      "/apis",
      "/apis/",
      "/apis/apps/v1",
      "/healthz",
      "/livez/ping",
      "/readyz/poststarthook/rbac/bootstrap-roles",
      "/readyz/shutdown",
      "/version",
    ]),
  );
});
