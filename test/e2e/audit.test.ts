import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
import { boatDefinition, boatVersion } from "../support/boat-definition.js";
import { startNodeAgent } from "../support/fake-node-agent.js";
import { deployment, mergePatch, pod } from "../support/fixtures.js";
import { startServerHere } from "../support/in-process-server.js";
import {
  clientConfigText,
  type PeerAnswer,
  type RemotePeer,
  startRemotePeer,
} from "../support/remote-peer.js";
import {
  credentialsOf,
  disposeAll,
  type ServerProcessOptions,
  startServer,
  type TestServer,
} from "../support/server-process.js";
import { TestAuthority } from "../support/test-authority.js";

interface Event {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly auditID: string;
  readonly stage: string;
  readonly level: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username?: string };
  readonly objectRef?: object;
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
  readonly requestObject?: unknown;
  readonly responseObject?: {
    readonly kind?: string;
    readonly metadata?: object;
    readonly items?: readonly object[];
  };
  readonly annotations?: Readonly<Record<string, string>>;
}

const configMaps = "/api/v1/namespaces/default/configmaps";
const servers: TestServer[] = [];
let directory: string;
let log: string;
let peer: RemotePeer | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "audit-"));
  log = join(directory, "logs", "audit.log");
});
afterEach(async () => {
  await disposeAll(servers);
  await peer?.close();
  peer = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** A server whose policy has these rules. */
async function start(...how: Parameters<typeof serverOptions>) {
  return opened(await startServerHere(serverOptions(...how)));
}

/** One that can be killed, and has an output. */
async function startProcess(...how: Parameters<typeof serverOptions>) {
  return opened(await startServer(serverOptions(...how)));
}

function opened<Server extends TestServer>(server: Server) {
  servers.push(server);
  return { server, api: new ApiClient(server) };
}

function serverOptions(
  args: readonly string[],
  rules: readonly object[],
  more: object = {},
  dataDirectory?: string,
): ServerProcessOptions {
  const policy = join(directory, "policy.yaml");
  writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules, ...more }));
  return {
    args: [`--audit-policy-file=${policy}`, ...args],
    ...(dataDirectory !== undefined && { dataDirectory }),
  };
}

/** Whole lines alone: one that is not JSON fails the test. */
function eventsOf(text: string): Event[] {
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line): Event => JSON.parse(line));
}

const logged = (): Event[] => eventsOf(readFileSync(log, "utf8"));
const eventsFor = (answer: ApiAnswer): Event[] =>
  logged().filter(({ auditID }) => auditID === answer.headers["audit-id"]);

const everything = [{ level: "RequestResponse" }];

test("each kind of request is told as Kubernetes tells it", async () => {
  const { api } = await start([`--audit-log-path=${log}`], everything, { omitManagedFields: true });
  const last = (answer: ApiAnswer): Event | undefined => eventsFor(answer).at(-1);

  const created = await api.post(`${configMaps}?fieldManager=me`, {
    metadata: { name: "a" },
    data: { k: "v" },
  });
  const [received, complete] = eventsFor(created);
  expect(received).toMatchObject({ stage: "RequestReceived", kind: "Event", apiVersion: "audit.k8s.io/v1" });
  expect(received).not.toHaveProperty("requestObject");
  expect(complete).toMatchObject({
    stage: "ResponseComplete",
    verb: "create",
    requestURI: `${configMaps}?fieldManager=me`,
    user: { username: expect.stringContaining("admin") },
    sourceIPs: ["127.0.0.1"],
    objectRef: { resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" },
    responseStatus: { code: 201 },
    requestObject: { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: { k: "v" } },
    responseObject: { kind: "ConfigMap", metadata: { name: "a", uid: expect.any(String) }, data: { k: "v" } },
    annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
  });
  expect(complete?.responseObject?.metadata).not.toHaveProperty("managedFields");
  expect(created.body.metadata).toHaveProperty("managedFields");

  const { uid, resourceVersion } = created.body.metadata;
  const updated = await api.put(`${configMaps}/a`, {
    metadata: { name: "a", uid, resourceVersion },
    data: {},
  });
  expect(last(updated)).toMatchObject({ verb: "update", objectRef: { name: "a", uid, resourceVersion } });

  const patched = await api.ask("PATCH", `${configMaps}/a`, {
    raw: '{"data":\n  {"k": null}}',
    contentType: "application/merge-patch+json",
  });
  expect(last(patched)).toMatchObject({ verb: "patch", requestObject: { data: { k: null } } });

  const applied = await api.ask("PATCH", `${configMaps}/b?fieldManager=me`, {
    raw: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n",
    contentType: "application/apply-patch+yaml",
  });
  expect(last(applied)).toMatchObject({
    responseStatus: { code: 201 },
    requestObject: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } },
  });

  const listed = await api.get(configMaps);
  expect(last(listed)).toMatchObject({ verb: "list", responseObject: { kind: "ConfigMapList" } });
  expect(last(listed)?.responseObject?.items).toHaveLength(listed.body.items.length);
  expect(last(listed)?.responseObject?.items).toContainEqual({
    metadata: expect.not.objectContaining({ managedFields: expect.anything() }),
  });

  const accept = (type: string) => ({ headers: { accept: type } });
  const table = await api.ask("GET", configMaps, accept("application/json;as=Table;g=meta.k8s.io;v=v1"));
  expect(last(table)).toMatchObject({ responseObject: { kind: "Table" } });
  const protobuf = await api.ask("GET", `${configMaps}/a`, accept("application/vnd.kubernetes.protobuf"));
  expect(last(protobuf)).toMatchObject({ responseObject: { kind: "ConfigMap", metadata: { name: "a" } } });
  const protobufList = await api.ask("GET", configMaps, accept("application/vnd.kubernetes.protobuf"));
  expect(last(protobufList)?.responseObject).toEqual(last(listed)?.responseObject);
  const yaml = await api.ask("GET", `${configMaps}/a`, accept("application/yaml"));
  expect(last(yaml)).toMatchObject({ responseObject: { kind: "ConfigMap", metadata: { name: "a" } } });

  const missing = await api.get(`${configMaps}/none`);
  expect(last(missing)).toMatchObject({
    responseStatus: {
      status: "Failure",
      reason: "NotFound",
      message: 'configmaps "none" not found',
      code: 404,
    },
    responseObject: { kind: "Status" },
  });
  const invalid = await api.post(configMaps, { metadata: { name: "A_" } });
  expect(last(invalid)).toMatchObject({
    responseStatus: { reason: "Invalid", code: 422 },
    objectRef: { name: "A_" },
  });

  const review = await api.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "t" } });
  expect(last(review)).toMatchObject({
    requestObject: { kind: "TokenReview", spec: { token: "t" } },
    responseObject: { kind: "TokenReview" },
  });

  const deleted = await api.delete(`${configMaps}/a`, { propagationPolicy: "Background" });
  expect(last(deleted)).toMatchObject({
    verb: "delete",
    requestObject: { kind: "DeleteOptions", propagationPolicy: "Background" },
    responseStatus: { status: "Success", code: 200, details: { name: "a" } },
  });
  const collection = await api.delete(configMaps);
  expect(last(collection)).toMatchObject({
    verb: "deletecollection",
    responseObject: { kind: "ConfigMapList" },
  });

  const path = await api.get("/version");
  expect(last(path)).toMatchObject({ verb: "get", requestURI: "/version", responseStatus: { code: 200 } });
  expect(last(path)).not.toHaveProperty("objectRef");

  const impersonating = await api.ask("GET", configMaps, {
    headers: { "impersonate-user": "jane", "audit-id": "chosen", "x-forwarded-for": "1.2.3.4" },
  });
  expect(impersonating.headers["audit-id"]).toBe("chosen");
  expect(last(impersonating)).toMatchObject({
    user: { username: expect.stringContaining("admin") },
    impersonatedUser: { username: "jane", groups: ["system:authenticated"] },
    sourceIPs: ["1.2.3.4", "127.0.0.1"],
  });
});

test("subresources and failures are told too", async () => {
  const { api } = await start([`--audit-log-path=${log}`], everything, { omitStages: ["RequestReceived"] });
  const deployments = "/apis/apps/v1/namespaces/default/deployments";
  const pods = "/api/v1/namespaces/default/pods";
  await api.post(deployments, deployment("d"));
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await expect.poll(async () => (await api.get(`${accounts}/default`)).status).toBe(200);
  for (const name of ["bound", "evicted"]) await api.post(pods, pod(name));
  const patch = (path: string, body: object) => api.ask("PATCH", path, { body, contentType: mergePatch });
  const target = { apiVersion: "v1", kind: "Node", name: "n" };

  const cases: readonly [ask: () => Promise<ApiAnswer>, expected: object][] = [
    [
      () => api.get(`${deployments}/d/scale`),
      {
        verb: "get",
        objectRef: { name: "d", subresource: "scale", apiGroup: "apps" },
        responseObject: { kind: "Scale" },
      },
    ],
    [
      () => patch(`${deployments}/d/scale`, { spec: { replicas: 3 } }),
      {
        verb: "patch",
        objectRef: { subresource: "scale" },
        requestObject: { spec: { replicas: 3 } },
        responseObject: { kind: "Scale", spec: { replicas: 3 } },
      },
    ],
    [
      () => patch(`${deployments}/d/status`, { status: { replicas: 1 } }),
      {
        verb: "patch",
        objectRef: { subresource: "status" },
        responseObject: { kind: "Deployment", status: { replicas: 1 } },
      },
    ],
    [
      () => api.post(`${pods}/bound/binding`, { metadata: { name: "bound" }, target }),
      {
        verb: "create",
        objectRef: { resource: "pods", name: "bound", subresource: "binding" },
        requestObject: { kind: "Binding", target: { name: "n" } },
        responseStatus: { status: "Success", code: 201 },
      },
    ],
    [
      () => api.post(`${pods}/evicted/eviction`, { metadata: { name: "evicted" } }),
      {
        verb: "create",
        objectRef: { resource: "pods", name: "evicted", subresource: "eviction" },
        requestObject: { kind: "Eviction" },
        responseStatus: { code: 201 },
      },
    ],
    [
      () => api.post(`${accounts}/default/token`, { spec: { expirationSeconds: 600 } }),
      {
        verb: "create",
        objectRef: { resource: "serviceaccounts", name: "default", subresource: "token" },
        requestObject: { kind: "TokenRequest", spec: { expirationSeconds: 600 } },
        responseStatus: { code: 201 },
      },
    ],
    [
      () => api.post(`${deployments}?dryRun=All`, deployment("dry")),
      {
        verb: "create",
        requestURI: `${deployments}?dryRun=All`,
        objectRef: { name: "dry" },
        responseStatus: { code: 201 },
      },
    ],
    [
      () => api.post(deployments, deployment("d")),
      { responseStatus: { status: "Failure", reason: "AlreadyExists", code: 409 } },
    ],
    [
      () => api.ask("PATCH", `${deployments}/d`, { raw: "{}", contentType: "text/plain" }),
      { verb: "patch", responseStatus: { reason: "UnsupportedMediaType", code: 415 } },
    ],
    [
      () => api.ask("POST", deployments, { raw: "{", contentType: "application/json" }),
      { verb: "create", responseStatus: { reason: "BadRequest", code: 400 } },
    ],
    [() => api.get("/apis/nothing.example.com/v1/things"), { verb: "list", responseStatus: { code: 404 } }],
  ];
  for (const [ask, expected] of cases) {
    const events = eventsFor(await ask());
    expect(events.map(({ stage }) => stage)).toEqual(["ResponseComplete"]);
    expect(events[0]).toMatchObject(expected);
  }
});

test("what is refused early is told, and long-running requests when they begin", async () => {
  const { api, server } = await start([`--audit-log-path=${log}`], [{ level: "Metadata" }]);
  const anonymous = new ApiClient(server, { anonymous: true });
  const wrong = await anonymous.ask("GET", "/api", { headers: { authorization: "Bearer wrong" } });
  expect(wrong.status).toBe(401);
  expect(eventsFor(wrong)).toMatchObject([
    {
      stage: "ResponseStarted",
      user: {},
      responseStatus: { code: 401, message: "Authentication failed, attempted: bearer" },
    },
  ]);
  expect(readFileSync(log, "utf8")).not.toContain("Bearer wrong");

  const badTimeout = await api.get(`${configMaps}?timeout=soon`);
  expect(eventsFor(badTimeout)).toMatchObject([{ stage: "ResponseStarted", responseStatus: { code: 400 } }]);
  const badPath = await api.get("/api%zz");
  expect(badPath.status).toBe(400);
  expect(badPath.headers["cache-control"]).toBe("no-cache, private");
  expect(eventsFor(badPath).map(({ stage }) => stage)).toEqual(["RequestReceived", "ResponseComplete"]);
  expect(eventsFor(badPath).at(-1)).toMatchObject({ requestURI: "/api%zz", responseStatus: { code: 400 } });

  const watched = await api.get(`${configMaps}?watch=1&timeoutSeconds=1`);
  await expect
    .poll(() => eventsFor(watched).map(({ stage, verb }) => `${verb} ${stage}`))
    .toEqual(["watch RequestReceived", "watch ResponseStarted", "watch ResponseComplete"]);
});

test("requests that a node answers are recorded when their answer begins and when it ends", async () => {
  const agent = await startNodeAgent(join(directory, "agent"));
  try {
    const { api, server } = await start(
      [
        `--audit-log-path=${log}`,
        `--kubelet-certificate-authority=${agent.caFile}`,
        `--kubelet-client-certificate=${agent.clientCertFile}`,
        `--kubelet-client-key=${agent.clientKeyFile}`,
      ],
      everything,
    );
    const status = {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: agent.port } },
    };
    const pods = "/api/v1/namespaces/default/pods";
    await api.post("/api/v1/nodes", { metadata: { name: "real" }, status });
    const account = "/api/v1/namespaces/default/serviceaccounts/default";
    await expect.poll(async () => (await api.get(account)).status).toBe(200);
    expect((await api.post(pods, pod("solo", { nodeName: "real" }))).status).toBe(201);
    const stages = (id: string): readonly unknown[] =>
      logged()
        .filter(({ auditID }) => auditID === id)
        .map(({ stage, verb, responseStatus }) => [stage, verb, responseStatus?.code]);
    const all = (verb: string, code: number): readonly unknown[] => [
      ["RequestReceived", verb, undefined],
      ["ResponseStarted", verb, code],
      ["ResponseComplete", verb, code],
    ];

    const text = await api.ask("GET", `${pods}/solo/log`, { headers: { "audit-id": "log" } });
    expect(text.status).toBe(200);
    await expect.poll(() => stages("log")).toEqual(all("get", 200));
    expect(eventsFor(text).at(-1)).toMatchObject({
      objectRef: { resource: "pods", namespace: "default", name: "solo", subresource: "log" },
    });
    expect(eventsFor(text).at(-1)).not.toHaveProperty("responseObject");

    const exec = `${pods}/solo/exec?command=ls&stdout=true`;
    const terminal = new WebSocket(server.url.replace("https", "wss") + exec, ["v4.channel.k8s.io"], {
      ...credentialsOf(server),
      headers: { "audit-id": "exec" },
    });
    await once(terminal, "message");
    terminal.terminate();
    await expect.poll(() => stages("exec")).toEqual(all("get", 101));

    const talk = `/api/v1/nodes/real/proxy/talk`;
    const line = new WebSocket(server.url.replace("https", "wss") + talk, {
      ...credentialsOf(server),
      headers: { "audit-id": "proxy" },
    });
    await once(line, "open");
    line.terminate();
    await expect.poll(() => stages("proxy")).toEqual(all("get", 101));

    await api.ask("POST", exec, { headers: { "audit-id": "refused" } });
    await expect.poll(() => stages("refused")).toEqual(all("create", 400));
  } finally {
    await agent.close();
  }
});

test("the policy decides, and omits stages", async () => {
  const { api } = await start(
    [`--audit-log-path=${log}`, "--audit-log-mode=blocking-strict"],
    [
      { level: "None", verbs: ["list"] },
      { level: "Metadata", resources: [{ group: "", resources: ["secrets"] }] },
      { level: "Request", resources: [{ group: "", resources: ["configmaps"] }] },
    ],
    { omitStages: ["RequestReceived"] },
  );
  const none = await api.get(configMaps);
  const metadata = await api.post("/api/v1/namespaces/default/secrets", {
    metadata: { name: "s" },
    data: { k: "cw==" },
  });
  const request = await api.post(configMaps, { metadata: { name: "a" }, data: { k: "v" } });
  const unmatched = await api.get("/api/v1/nodes/a");
  expect([none, unmatched].flatMap(eventsFor)).toEqual([]);
  expect(eventsFor(metadata)).toMatchObject([
    { stage: "ResponseComplete", level: "Metadata", objectRef: { name: "s" } },
  ]);
  expect(eventsFor(metadata)[0]).not.toHaveProperty("requestObject");
  const [event] = eventsFor(request);
  expect(event).toMatchObject({ level: "Request", requestObject: { data: { k: "v" } } });
  expect(event).not.toHaveProperty("responseObject");
  expect(readFileSync(log, "utf8")).not.toContain("cw==");
});

test("a policy that is not valid stops the start and names the field", async () => {
  await expect(start([`--audit-log-path=${log}`], [{ level: "Everything" }])).rejects.toThrow(
    /--audit-policy-file: rules\[0\]\.level: Unsupported value: "Everything"/,
  );
});

test("strictly, a request is not carried out whose event cannot be kept; otherwise it is", async () => {
  // Every write to this device fails as on a full disk.
  const strict = await start(["--audit-log-path=/dev/full", "--audit-log-mode=blocking-strict"], everything);
  const refused = await strict.api.post(configMaps, { metadata: { name: "a" } });
  expect(refused).toMatchObject({
    status: 500,
    body: { message: expect.stringContaining("failed to store audit event") },
  });
  const { dataDirectory } = strict.server;
  await strict.server.stop();
  const lenient = await start(["--audit-log-path=/dev/full"], everything, {}, dataDirectory);
  expect((await lenient.api.get(`${configMaps}/a`)).status).toBe(404);
  expect((await lenient.api.post(configMaps, { metadata: { name: "a" } })).status).toBe(201);
  const { text } = await lenient.api.get("/metrics");
  expect(text).toMatch(/apiserver_audit_error_total\{plugin="log"\} [1-9]/);
  expect(lenient.server.output()).toContain("audit events were lost");
});

test("after kill -9 every acknowledged write is in the log, in whole lines, over restarts and rotations", async () => {
  const args = [`--audit-log-path=${log}`, "--audit-log-mode=blocking-strict", "--audit-log-maxsize=1"];
  const rules = [{ level: "RequestResponse", verbs: ["create"] }];
  let dataDirectory: string | undefined;
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { server, api } = await startProcess(
      args,
      rules,
      { omitStages: ["RequestReceived"] },
      dataDirectory,
    );
    dataDirectory = server.dataDirectory;
    const before = acknowledged.length;
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; ; count++) {
        const name = `r${round}-w${writer}-${count}`;
        const answer = await api.post(configMaps, { metadata: { name }, data: { k: "v".repeat(4000) } });
        if (answer.status === 201) acknowledged.push(name);
      }
    };
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer).catch(() => {}));
    await expect.poll(() => acknowledged.length - before).toBeGreaterThan(100);
    await server.stop("SIGKILL");
    await Promise.all(writers);
  }
  const { server } = await start(args, rules, {}, dataDirectory);
  await server.stop();
  const files = readdirSync(join(directory, "logs"));
  expect(files.length).toBeGreaterThan(1);
  const events = files.flatMap((file) => eventsOf(readFileSync(join(directory, "logs", file), "utf8")));
  const names = new Set(events.map(({ objectRef }) => (objectRef as { name: string }).name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
});

test("in batch mode, kill -9 loses no more than what waited", async () => {
  const args = [`--audit-log-path=${log}`, "--audit-log-mode=batch"];
  const rules = [{ level: "RequestResponse", verbs: ["create"] }];
  const { server, api } = await startProcess(args, rules, { omitStages: ["RequestReceived"] });
  const names: string[] = [];
  const write = async (): Promise<void> => {
    for (let count = 0; ; count++) {
      const answer = await api.post(configMaps, {
        metadata: { name: `n${count}` },
        data: { k: "v".repeat(4000) },
      });
      if (answer.status === 201) names.push(`n${count}`);
    }
  };
  const writer = write().catch(() => {});
  await expect.poll(() => readFileSync(log, "utf8").split("\n").length).toBeGreaterThan(100);
  await server.stop("SIGKILL");
  await writer;
  const { dataDirectory } = server;
  const next = await start(args, rules, {}, dataDirectory);
  // A line that was not finished is cut off at the start.
  const kept = logged().map(({ objectRef }) => (objectRef as { name: string }).name);
  expect(kept.length).toBeGreaterThan(99);
  const last = Number(kept.at(-1)?.slice(1));
  expect(kept).toEqual(Array.from({ length: last + 1 }, (_, count) => `n${count}`));
  expect(names.length).toBeGreaterThanOrEqual(last);
  await next.server.stop();
});

test("a full disk in batch mode fails no request, and shows", async () => {
  const { api, server } = await start(["--audit-log-path=/dev/full", "--audit-log-mode=batch"], everything);
  expect((await api.post(configMaps, { metadata: { name: "a" } })).status).toBe(201);
  const metrics = async (): Promise<string> => (await api.get("/metrics")).text;
  await expect.poll(metrics).toMatch(/apiserver_audit_error_total\{plugin="log"\} [1-9]/);
  const text = await metrics();
  expect(text).toMatch(/^apiserver_audit_event_total [1-9]/m);
  expect(text).toMatch(/^apiserver_audit_level_total\{level="RequestResponse"\} [1-9]/m);
  expect(text).toMatch(/^apiserver_audit_requests_rejected_total 0$/m);
  expect(server.output()).toContain("audit events were lost");
});

test("an event that is too long goes without its objects, and says so", async () => {
  const { api } = await start(
    [`--audit-log-path=${log}`, "--audit-log-truncate-enabled", "--audit-log-truncate-max-event-size=3000"],
    everything,
    { omitStages: ["RequestReceived"] },
  );
  const short = await api.post(configMaps, { metadata: { name: "short" }, data: { k: "v" } });
  const long = await api.post(configMaps, { metadata: { name: "long" }, data: { k: "v".repeat(3000) } });
  const truncated = "audit.k8s.io/truncated";
  expect(eventsFor(short)[0]).toHaveProperty("requestObject");
  expect(eventsFor(short)[0]?.annotations).not.toHaveProperty([truncated]);
  expect(eventsFor(long)[0]).toMatchObject({
    objectRef: { name: "long" },
    annotations: { [truncated]: "true" },
  });
  expect(eventsFor(long)[0]).not.toHaveProperty("requestObject");
  expect(eventsFor(long)[0]).not.toHaveProperty("responseObject");
  // The URI alone is too long.
  const lost = await api.get(`${configMaps}?fieldManager=${"x".repeat(4000)}`);
  expect(eventsFor(lost)).toEqual([]);
  expect((await api.get("/metrics")).text).toMatch(/apiserver_audit_error_total\{plugin="truncate"\} 1/);
});

test.each(["v1", "v1beta1", "v1alpha1"])("log and webhook have events of %s", async (version) => {
  const file = await webhook(() => ({ status: 200 }));
  const apiVersion = `audit.k8s.io/${version}`;
  const { api } = await start(
    [
      `--audit-log-path=${log}`,
      `--audit-log-version=${apiVersion}`,
      file,
      `--audit-webhook-version=${apiVersion}`,
      "--audit-webhook-mode=blocking",
    ],
    [{ level: "Metadata", verbs: ["create"] }],
    { omitStages: ["RequestReceived"] },
  );
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const created = await api.post(path, deployment("d"));
  const objectRef =
    version === "v1alpha1" ? { apiVersion: "apps/v1" } : { apiGroup: "apps", apiVersion: "v1" };
  const [event] = eventsFor(created);
  expect(event).toMatchObject({ kind: "Event", apiVersion, objectRef });
  expect(event !== undefined && "timestamp" in event).toBe(version !== "v1");
  const { kind, apiVersion: _, ...rest } = event ?? {};
  expect(JSON.parse(peer?.requests.at(-1)?.body ?? "")).toMatchObject({
    kind: "EventList",
    apiVersion,
    items: [rest],
  });
});

test("what waits in a buffer is written when the server stops", async () => {
  const args = ["--audit-log-mode=batch", "--audit-log-batch-max-size=1000", "--audit-log-batch-max-wait=1h"];
  const { api, server } = await start(
    [`--audit-log-path=${log}`, ...args],
    [{ level: "Metadata", verbs: ["create"] }],
  );
  await api.post(configMaps, { metadata: { name: "a" } });
  expect(readFileSync(log, "utf8")).toBe("");
  await server.stop();
  expect(logged().map(({ stage }) => stage)).toEqual(["RequestReceived", "ResponseComplete"]);
});

test("standard output, and lines of text", async () => {
  const { api, server } = await startProcess(["--audit-log-path=-", "--audit-log-format=legacy"], everything);
  await api.get(configMaps);
  await expect
    .poll(() => server.output())
    .toMatch(
      /^\S+ AUDIT: id="[^"]+" stage="ResponseComplete" ip="127.0.0.1" method="list" .* response="200"$/m,
    );
});

/** A webhook that answers with `next`, and the option that names it. */
async function webhook(next: () => PeerAnswer | "hang"): Promise<string> {
  const authority = await TestAuthority.create("audit-ca");
  peer = await startRemotePeer({ authority }, next);
  const file = join(directory, "webhook.yaml");
  writeFileSync(file, clientConfigText({ server: `${peer.url}/audit`, caPem: authority.caPem, user: {} }));
  return `--audit-webhook-config-file=${file}`;
}

const received = (): Event[] =>
  (peer?.requests ?? []).flatMap(({ body }) => (JSON.parse(body) as { items: readonly Event[] }).items);

test("a webhook gets lists of events, again after it was broken, and the rest at the end", async () => {
  let isBroken = true;
  const file = await webhook(() => ({ status: isBroken ? 500 : 200 }));
  const { api, server } = await start(
    [
      file,
      "--audit-webhook-batch-max-size=2",
      "--audit-webhook-batch-max-wait=1h",
      "--audit-webhook-initial-backoff=20ms",
    ],
    [{ level: "Request", verbs: ["create"] }],
  );
  await api.post(configMaps, { metadata: { name: "a" } });
  await expect.poll(() => peer?.requests.length).toBeGreaterThan(1);
  isBroken = false;
  const tried = peer?.requests.length ?? 0;
  await expect.poll(() => peer?.requests.length).toBeGreaterThan(tried);
  const { path, body, headers } = peer?.requests.at(-1) ?? {};
  expect(path).toBe("/audit");
  expect(headers).not.toHaveProperty("authorization");
  const list = JSON.parse(body ?? "");
  expect(list).toMatchObject({ kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {} });
  expect(list.items).toMatchObject([
    { stage: "RequestReceived" },
    { stage: "ResponseComplete", requestObject: { metadata: { name: "a" } } },
  ]);
  expect(list.items[0]).not.toHaveProperty("kind");

  await api.ask("POST", configMaps, { body: { metadata: { name: "b" } } });
  await api.post(`${configMaps}?timeout=no`, {});
  await server.stop();
  expect(received().at(-1)).toMatchObject({ stage: "ResponseStarted", responseStatus: { code: 400 } });
});

test("a webhook that does not answer holds up no request in batch mode, and its buffer does not grow", async () => {
  const file = await webhook(() => "hang");
  const { api, server } = await startProcess(
    [file, "--audit-webhook-batch-max-size=1", "--audit-webhook-batch-buffer-size=5"],
    [{ level: "Metadata", verbs: ["get"] }],
  );
  for (let count = 0; count < 40; count++)
    expect((await api.get("/api/v1/namespaces/default")).status).toBe(200);
  const { text } = await api.get("/metrics");
  expect(text).toMatch(/apiserver_audit_error_total\{plugin="buffered"\} [1-9]/);
  peer?.disconnect();
  await server.stop("SIGKILL");
});

test("strictly, a webhook that is away fails requests, which work when it is back", async () => {
  let status = 500;
  const file = await webhook(() => ({ status }));
  const args = [file, "--audit-webhook-mode=blocking-strict", "--audit-webhook-initial-backoff=1ms"];
  const { api } = await start(args, [{ level: "Metadata", verbs: ["create"] }]);
  expect((await api.post(configMaps, { metadata: { name: "a" } })).status).toBe(500);
  status = 200;
  expect((await api.post(configMaps, { metadata: { name: "a" } })).status).toBe(201);
  expect(received().at(-1)).toMatchObject({ stage: "ResponseComplete", responseStatus: { code: 201 } });
});

test("requests to versions that are going away are marked, of custom resources too", async () => {
  const { api } = await start([`--audit-log-path=${log}`], [{ level: "Metadata" }]);
  const listed = await api.get("/apis/policy/v1beta1/poddisruptionbudgets");
  expect(eventsFor(listed).at(-1)?.annotations).toMatchObject({
    "k8s.io/deprecated": "true",
    "k8s.io/removed-release": "1.25",
  });
  const old = { ...boatVersion, name: "v1beta1", storage: false, deprecated: true };
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.post(definitions, boatDefinition({ versions: [boatVersion, old] }));
  const boats = (version: string) => api.get(`/apis/example.com/${version}/namespaces/default/boats`);
  await expect.poll(async () => (await boats("v1")).status).toBe(200);
  expect(eventsFor(await boats("v1beta1")).at(-1)?.annotations).toMatchObject({
    "k8s.io/deprecated": "true",
  });
  expect(eventsFor(await boats("v1")).at(-1)?.annotations).not.toHaveProperty(["k8s.io/deprecated"]);
});

test("events say who was allowed and refused, and by what", async () => {
  const { api } = await start(
    [`--audit-log-path=${log}`, "--authorization-mode=RBAC"],
    [{ level: "Metadata" }],
  );
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
  const subjects = [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }];
  await api.post(`${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: "views" },
    roleRef,
    subjects,
  });
  const headers = { "impersonate-user": "jane" };
  const allowed = await api.ask("GET", configMaps, { headers });
  expect(eventsFor(allowed).at(-1)).toMatchObject({
    impersonatedUser: { username: "jane" },
    annotations: {
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/reason":
        'RBAC: allowed by RoleBinding "views/default" of ClusterRole "view" to User "jane"',
    },
  });
  const refused = await api.ask("DELETE", `${configMaps}/a`, { headers });
  expect(refused.status).toBe(403);
  expect(eventsFor(refused).at(-1)).toMatchObject({
    responseStatus: { code: 403, reason: "Forbidden" },
    annotations: { "authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": "" },
  });
});
