import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
import { type AuditEvent, auditGround, everything } from "../support/audit-ground.js";
import { boatDefinition, boatVersion } from "../support/boat-definition.js";
import { startNodeAgent } from "../support/fake-node-agent.js";
import { deployment, mergePatch, pod } from "../support/fixtures.js";
import { credentialsOf } from "../support/server-process.js";

/** What audit events tell of requests. */

const configMaps = "/api/v1/namespaces/default/configmaps";
const audit = auditGround();
const { start, logged, eventsFor } = audit;

test("each kind of request is told as Kubernetes tells it", async () => {
  const { api } = await start([`--audit-log-path=${audit.log}`], everything, { omitManagedFields: true });
  const last = (answer: ApiAnswer): AuditEvent | undefined => eventsFor(answer).at(-1);

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
    responseStatus: { status: "Failure", reason: "NotFound", code: 404 },
    responseObject: { kind: "Status", message: 'configmaps "none" not found' },
  });
  const unknownGroup = await api.get("/apis/none.example.com/v1/things");
  expect(unknownGroup.text).toBe("404 page not found\n");
  expect(last(unknownGroup)?.responseStatus).toEqual({ metadata: {}, code: 404 });
  expect(last(unknownGroup)).not.toHaveProperty("responseObject");
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
    responseStatus: { status: "Success", code: 200 },
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
  const { api } = await start([`--audit-log-path=${audit.log}`], everything, {
    omitStages: ["RequestReceived"],
  });
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
  const { api, server } = await start([`--audit-log-path=${audit.log}`], [{ level: "Metadata" }]);
  const anonymous = new ApiClient(server, { anonymous: true });
  const wrong = await anonymous.ask("GET", "/api", { headers: { authorization: "Bearer wrong" } });
  expect(wrong.status).toBe(401);
  expect(eventsFor(wrong)).toMatchObject([
    {
      stage: "ResponseStarted",
      user: {},
      responseStatus: { status: "Failure", reason: "Unauthorized", code: 401 },
    },
  ]);
  expect(readFileSync(audit.log, "utf8")).not.toContain("Bearer wrong");

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
  const agent = await startNodeAgent(join(audit.directory, "agent"));
  try {
    const { api, server } = await start(
      [
        `--audit-log-path=${audit.log}`,
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
    [`--audit-log-path=${audit.log}`, "--audit-log-mode=blocking-strict"],
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
  expect(readFileSync(audit.log, "utf8")).not.toContain("cw==");
});

test("a policy that is not valid stops the start and names the field, also when nothing is recorded", async () => {
  for (const args of [[`--audit-log-path=${audit.log}`], []]) {
    await expect(start(args, [{ level: "Everything" }])).rejects.toThrow(
      /--audit-policy-file: rules\[0\]\.level: Unsupported value: "Everything"/,
    );
  }
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

test("an event that is too long goes without its objects, and says so", async () => {
  const { api } = await start(
    [
      `--audit-log-path=${audit.log}`,
      "--audit-log-truncate-enabled",
      "--audit-log-truncate-max-event-size=3000",
    ],
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

test("requests to versions that are going away are marked, of custom resources too", async () => {
  const { api } = await start([`--audit-log-path=${audit.log}`], [{ level: "Metadata" }]);
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
    [`--audit-log-path=${audit.log}`, "--authorization-mode=RBAC"],
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
