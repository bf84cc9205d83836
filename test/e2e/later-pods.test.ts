import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ApiClient } from "../support/api-client.js";
import { type FakeNodeAgent, startNodeAgent } from "../support/fake-node-agent.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { credentialsOf } from "../support/server-process.js";
import { startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

const pods = "/api/v1/namespaces/default/pods";
const zone = "topology.kubernetes.io/zone";
let home: string;
let agent: FakeNodeAgent;
let hooks: WebhookServer;
let server: ServerHere;
let api: ApiClient;
let auditLog: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "later-pods-"));
  agent = await startNodeAgent(join(home, "agent"));
  hooks = await startWebhookServer();
  auditLog = join(home, "audit.log");
  const policy = join(home, "policy.yaml");
  writeFileSync(
    policy,
    'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, verbs: [create], resources: [{group: "*"}]}]\n',
  );
  server = await startServerHere({
    args: [
      "--api-level=1.36",
      "--authorization-mode=RBAC",
      "--feature-gates=PodLogsQuerySplitStreams=true",
      `--kubelet-certificate-authority=${agent.caFile}`,
      `--kubelet-client-certificate=${agent.clientCertFile}`,
      `--kubelet-client-key=${agent.clientKeyFile}`,
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${auditLog}`,
    ],
  });
  api = new ApiClient(server);
  const made = await api.post("/api/v1/nodes", { metadata: { name: "real", labels: { [zone]: "a" } } });
  expect(made.status).toBe(201);
  const status = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: agent.port } },
  };
  expect((await api.put("/api/v1/nodes/real/status", { ...made.body, status })).status).toBe(200);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
  await agent.close();
  await hooks.close();
  rmSync(home, { recursive: true, force: true });
});

async function newPod(name: string): Promise<void> {
  const spec = { containers: [{ name: "main", image: "a" }] };
  expect((await api.post(pods, { metadata: { name }, spec })).status).toBe(201);
}

async function bind(name: string): Promise<void> {
  const target = { kind: "Node", name: "real" };
  const { status } = await api.post(`${pods}/${name}/binding`, { metadata: { name }, target });
  expect(status).toBe(201);
}

test("a pod that is bound has the topology of its node in its labels", async () => {
  await newPod("bound");
  await bind("bound");
  expect((await api.get(`${pods}/bound`)).body.metadata.labels).toEqual({ [zone]: "a" });
});

test("one stream of a log is asked of the node's agent", async () => {
  await newPod("logging");
  await bind("logging");
  const before = agent.seen.length;
  await api.get(`${pods}/logging/log?stream=Stdout`);
  expect(agent.seen.slice(before).map(({ url }) => url)).toEqual([
    "/containerLogs/default/logging/main?stream=Stdout",
  ]);
  const refused = await api.get(`${pods}/logging/log?stream=Stdout&tailLines=1`);
  expect(refused.status).toBe(422);
});

test("a WebSocket to a pod needs the right to create it", async () => {
  await newPod("attached");
  await bind("attached");
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const role = (name: string, verbs: string[]) => ({
    metadata: { name },
    rules: [{ apiGroups: [""], resources: ["pods/exec"], verbs }],
  });
  const subjects = [{ kind: "ServiceAccount", name: "looker", namespace: "default" }];
  await api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "looker" } });
  const { body } = await api.post("/api/v1/namespaces/default/serviceaccounts/looker/token", {
    spec: { expirationSeconds: 3600 },
  });
  const token: string = body.status.token;
  const bindRole = async (name: string, verbs: string[]): Promise<void> => {
    await api.post(`${rbac}/clusterroles`, role(name, verbs));
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
    await api.post(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
  };
  const open = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(
        `${server.url.replace("https", "wss")}${pods}/attached/exec?command=ls&stdout=true`,
        "v4.channel.k8s.io",
        { ca: credentialsOf(server).ca, headers: { authorization: `Bearer ${token}` } },
      );
      socket.on("unexpected-response", (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      socket.on("open", () => {
        socket.terminate();
        resolve(101);
      });
      socket.on("error", reject);
    });
  await bindRole("reads", ["get"]);
  await expect.poll(open).toBe(403);
  await bindRole("execs", ["create"]);
  await expect.poll(open).toBe(101);
});

test("the events of slow requests tell what took how long", async () => {
  hooks.answers.set("/slow", () => {
    // Holds the webhook's own thread, which does nothing else.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    return { response: { allowed: true } };
  });
  const name = "slow.example.com";
  const made = await api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name },
    webhooks: [
      {
        name,
        clientConfig: { url: hooks.url("/slow"), caBundle: hooks.caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  expect(made.status).toBe(201);
  const maps = "/api/v1/namespaces/default/configmaps";
  await expect
    .poll(async () => {
      await api.post(maps, { metadata: { generateName: "a-" } });
      return hooks.seen.length;
    })
    .toBeGreaterThan(0);
  await api.delete(`/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`);
  const slow = () =>
    readFileSync(auditLog, "utf8")
      .split("\n")
      .filter((line) => line.includes("latency.k8s.io/validating-webhook"))
      .map((line) => JSON.parse(line).annotations);
  await expect.poll(() => slow().length).toBeGreaterThan(0);
  expect(slow()[0]).toMatchObject({
    "apiserver.latency.k8s.io/validating-webhook": expect.stringMatching(/^(6|7|8|9)\d\d\.\d+ms$|^\d\.\d+s$/),
    "apiserver.latency.k8s.io/etcd": expect.stringMatching(/s$/),
    "apiserver.latency.k8s.io/authentication": expect.stringMatching(/s$/),
  });
});

test("health checks are counted on a page of their own", async () => {
  await api.get("/readyz");
  const { text, headers } = await api.get("/metrics/slis");
  const { headers: ofAll } = await api.get("/metrics");
  expect(headers["content-type"]).toBe(ofAll["content-type"]);
  expect(text).toContain('kubernetes_healthcheck{name="ping",type="readyz"} 1');
  expect(text).toMatch(/kubernetes_healthchecks_total\{name="ping",status="success",type="readyz"\} \d+/);
});

test("the server's lease is named after its host", async () => {
  const { body } = await api.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases");
  const lease = body.items.find(({ metadata }: { metadata: { name: string } }) =>
    /^apiserver-[a-z2-7]{26}$/.test(metadata.name),
  );
  expect(lease?.metadata.labels).toMatchObject({
    "apiserver.kubernetes.io/identity": "kube-apiserver",
    "kubernetes.io/hostname": hostname(),
  });
});

test("a running pod changes only to what its node declares and can allocate", async () => {
  const node = await api.post("/api/v1/nodes", { metadata: { name: "small" } });
  const allocatable = { cpu: "2", memory: "1Gi" };
  const status = { allocatable, capacity: allocatable };
  const declare = async (declaredFeatures: readonly string[]) => {
    const { metadata } = (await api.get("/api/v1/nodes/small")).body;
    return api.put("/api/v1/nodes/small/status", {
      ...node.body,
      metadata,
      status: { ...status, declaredFeatures },
    });
  };
  expect((await declare(["b"])).body.message).toContain('invalid feature name "b": must start with');
  expect((await declare(["A"])).body.status.declaredFeatures).toEqual(["A"]);
  const asking = (cpu: string) => ({ resources: { requests: { cpu } } });
  const container = { name: "a", image: "a", ...asking("1") };
  const spec = { nodeName: "small", containers: [container], ...asking("1") };
  expect((await api.post(pods, { metadata: { name: "grows" }, spec })).status).toBe(201);
  const resize = (change: object) =>
    api.patch(`${pods}/grows/resize`, "application/merge-patch+json", { spec: change });
  const own = await resize(asking("2"));
  expect(own.body).toMatchObject({
    code: 403,
    message:
      'pods "grows" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "small"',
  });
  expect((await declare(["InPlacePodLevelResourcesVerticalScaling"])).status).toBe(200);
  expect((await resize(asking("2"))).body.spec.resources.requests).toEqual({ cpu: "2" });
  expect((await resize(asking("3"))).body).toMatchObject({
    code: 403,
    message:
      'pods "grows" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 3000, allocatable: 2000',
    details: { causes: [{ reason: "NodeCapacity" }] },
  });
});
