import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
import { boat, boatDefinition } from "../support/boat-definition.js";
import { encryptionConfig } from "../support/encrypted-servers.js";
import { mergePatch } from "../support/fixtures.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll, startServer, type TestServer } from "../support/server-process.js";
import { startTraceCollector } from "../support/trace-collector.js";
import { startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

// `npm run test:lanes` runs other suites with every write in a lane. Here is what they cannot show.

const configMaps = "/api/v1/namespaces/default/configmaps";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const laneRequestBytes = 3000;
const directory = mkdtempSync(join(tmpdir(), "lanes-"));
const servers: TestServer[] = [];
let webhook: WebhookServer;

beforeAll(async () => {
  webhook = await startWebhookServer();
});
afterEach(async () => {
  await disposeAll(servers);
  webhook.answers.clear();
});
afterAll(async () => {
  await webhook.close();
  rmSync(directory, { recursive: true });
});

async function start(...args: string[]): Promise<{ server: ServerHere; api: ApiClient }> {
  const server = await startServerHere({ args: [`--lane-request-bytes=${laneRequestBytes}`, ...args] });
  servers.push(server);
  return { server, api: new ApiClient(server) };
}

interface Named {
  readonly metadata: { readonly name: string };
}

/** The same object, so large that a lane creates it. */
function large<T extends Named>(object: T): T {
  const annotations = { large: "x".repeat(laneRequestBytes) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function configMap(name: string) {
  return { metadata: { name }, data: { a: "b" } };
}

function value(metrics: string, series: string): number {
  const line = metrics.split("\n").find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

async function answeredByLanes(api: ApiClient): Promise<number> {
  return value((await api.get("/metrics")).text, "apiserver_lane_request_duration_seconds_count");
}

test("large requests go through a lane, small ones do not, and the metrics show both", async () => {
  const { api } = await start();
  const created =
    'apiserver_admission_step_admission_duration_seconds_count{type="validate",operation="CREATE",rejected="false"}';
  await api.post(configMaps, configMap("small"));
  const before = (await api.get("/metrics")).text;
  expect(value(before, "apiserver_lane_request_duration_seconds_count")).toBe(0);
  expect(value(before, "apiserver_lanes")).toBe(0);
  expect((await api.post(configMaps, large(configMap("large")))).status).toBe(201);
  // A small patch of a large object is large.
  expect((await api.patch(`${configMaps}/large`, mergePatch, { data: { a: "c" } })).body.data).toEqual({
    a: "c",
  });
  expect((await api.patch(`${configMaps}/small`, mergePatch, { data: { a: "c" } })).status).toBe(200);
  expect((await api.delete(`${configMaps}/large`)).status).toBe(200);
  const after = (await api.get("/metrics")).text;
  expect(value(after, "apiserver_lane_request_duration_seconds_count")).toBe(3);
  expect(value(after, "apiserver_lanes")).toBe(1);
  expect(value(after, created) - value(before, created)).toBe(1);
});

test("lists and watches have lanes make protobuf and tables of large objects, in order", async () => {
  const { api } = await start();
  const text = "x".repeat(5 * laneRequestBytes);
  for (const name of ["a", "b", "c"]) {
    await api.post(configMaps, { metadata: { name }, data: { text: name === "b" ? text : "" } });
  }
  const protobuf = "application/vnd.kubernetes.protobuf";
  const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const read = async (query: string, accept: string) =>
    (await api.ask("GET", `${configMaps}${query}`, { headers: { accept } })).text;
  /** What a watch has sent when `isEnough` says so. */
  const watched = async (accept: string, isEnough: (seen: string) => boolean) => {
    let seen = "";
    for await (const bytes of api.stream(`${configMaps}?watch=1`, { accept })) {
      seen += Buffer.from(bytes).toString("latin1");
      if (isEnough(seen)) break;
    }
    return seen;
  };
  const before = await answeredByLanes(api);
  const rows = JSON.parse(await read("", table)).rows;
  expect(rows.map(({ cells }: { cells: unknown[] }) => cells.slice(0, 2))).toEqual(
    expect.arrayContaining([["b", 1]]),
  );
  expect(await answeredByLanes(api)).toBe(before + 1);
  expect(await read("", protobuf)).toContain(text);
  expect(await answeredByLanes(api)).toBe(before + 2);
  // Made for the list a moment ago.
  await watched(protobuf, (seen) => seen.includes(text));
  expect(await answeredByLanes(api)).toBe(before + 2);
  await api.patch(`${configMaps}/b`, mergePatch, { metadata: { labels: { changed: "b" } } });
  const made = await answeredByLanes(api);
  for (const accept of [protobuf, table]) {
    const placesIn = (seen: string) =>
      ["a", "b", "c"].map((name) => seen.indexOf(accept === table ? `["${name}",1` : `\n\x01${name}`));
    const events = await watched(accept, (seen) => placesIn(seen).every((place) => place >= 0));
    const places = placesIn(events);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(events).toContain("changed");
  }
  expect(await answeredByLanes(api)).toBe(made + 2);
});

test("watchers see what a lane writes, and each change once", async () => {
  const { api } = await start();
  const stopping = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { type, object } of api.watch(
      `${configMaps}?watch=1&labelSelector=seen`,
      stopping.signal,
    )) {
      seen.push(`${type} ${object.metadata.name} ${object.data.a}`);
    }
  })().catch(() => undefined);
  const labelled = (name: string) => {
    const object = large(configMap(name));
    return { ...object, data: { a: "0" }, metadata: { ...object.metadata, labels: { seen: "" } } };
  };
  await api.post(configMaps, labelled("a"));
  for (const a of ["1", "2"]) await api.patch(`${configMaps}/a`, mergePatch, { data: { a } });
  await api.delete(`${configMaps}/a`);
  await expect.poll(() => seen).toEqual(["ADDED a 0", "MODIFIED a 1", "MODIFIED a 2", "DELETED a 2"]);
  stopping.abort();
  await watching;
});

describe("what was written a moment ago counts in a lane", () => {
  test("a namespace, a definition, a limit range, a priority class, a webhook and a role", async () => {
    const { api } = await start("--authorization-mode=RBAC");
    // The lane begins here: what follows it learns by its watches.
    expect((await api.post(configMaps, large(configMap("first")))).status).toBe(201);

    for (const name of ["n1", "n2", "n3"]) {
      await api.post("/api/v1/namespaces", { metadata: { name } });
      const path = `/api/v1/namespaces/${name}/configmaps`;
      expect((await api.post(path, large(configMap("a")))).status).toBe(201);
    }

    await api.post(definitions, boatDefinition());
    const boats = "/apis/example.com/v1/namespaces/default/boats";
    await expect.poll(async () => (await api.get(boats)).status).toBe(200);
    expect((await api.post(boats, large(boat("a")))).status).toBe(201);

    await api.post("/api/v1/namespaces/n1/limitranges", {
      metadata: { name: "limits" },
      spec: { limits: [{ type: "Container", default: { cpu: "100m" } }] },
    });
    await api.post("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "first" }, value: 77 });
    const pod = {
      metadata: { name: "a" },
      spec: { priorityClassName: "first", containers: [{ name: "c", image: "i" }] },
    };
    const made = await api.post("/api/v1/namespaces/n1/pods", large(pod));
    expect([made.status, made.body.spec?.priority]).toEqual([201, 77]);
    expect(made.body.spec.containers[0].resources.limits).toEqual({ cpu: "100m" });

    webhook.answers.set("/deny", () => ({
      response: { allowed: false, status: { message: "not today" } },
    }));
    const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };
    await api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      metadata: { name: "deny" },
      webhooks: [
        {
          name: "deny.example.com",
          clientConfig: { url: webhook.url("/deny"), caBundle: webhook.caBundle },
          rules: [rule],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    });
    const denied = await api.post(configMaps, large(configMap("denied")));
    expect(denied.body.message).toContain("not today");

    const asAnna = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
      api.ask(method, path, { headers: { "impersonate-user": "anna" }, ...(body !== undefined && { body }) });
    const secrets = "/api/v1/namespaces/default/secrets";
    const secret = (name: string) => large({ metadata: { name } });
    expect((await asAnna("POST", secrets, secret("a"))).status).toBe(403);
    // Both are written by a lane, and decide on this thread.
    await api.post("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      ...large({ metadata: { name: "writer" } }),
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["create", "list"] }],
    });
    await api.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
      ...large({ metadata: { name: "anna" } }),
      subjects: [{ kind: "User", name: "anna", apiGroup: "rbac.authorization.k8s.io" }],
      roleRef: { kind: "ClusterRole", name: "writer", apiGroup: "rbac.authorization.k8s.io" },
    });
    expect((await asAnna("GET", secrets)).status).toBe(200);
    expect((await asAnna("POST", secrets, secret("a"))).status).toBe(201);
    // A role can be made by those who have what it gives: a lane knows it too.
    await api.post("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      metadata: { name: "roles" },
      rules: [{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"], verbs: ["create"] }],
    });
    await api.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
      metadata: { name: "anna-roles" },
      subjects: [{ kind: "User", name: "anna", apiGroup: "rbac.authorization.k8s.io" }],
      roleRef: { kind: "ClusterRole", name: "roles", apiGroup: "rbac.authorization.k8s.io" },
    });
    const role = (name: string, verbs: string[]) => ({
      ...large({ metadata: { name } }),
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs }],
    });
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    expect((await asAnna("POST", roles, role("less", ["list"]))).status).toBe(201);
    expect((await asAnna("POST", roles, role("more", ["delete"]))).status).toBe(403);
  });
});

describe("inline and by lane", () => {
  /** Without what differs between two servers, and between two moments. */
  function normal(text: string): string {
    return text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID")
      .replaceAll(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, "TIME")
      .replaceAll(/"\d+s"/g, "AGE")
      .replaceAll(/(resourceVersion\W+)\d+/g, "$1VERSION");
  }

  async function exchange(...args: string[]): Promise<{ answers: string[]; events: string[] }> {
    const log = join(directory, `audit${servers.length}.log`);
    const policy = join(directory, "policy.yaml");
    const rules = [
      {
        level: "RequestResponse",
        verbs: ["create", "update", "patch", "delete", "get"],
        omitStages: ["RequestReceived"],
      },
    ];
    writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));
    const { server, api } = await start(...args, `--audit-policy-file=${policy}`, `--audit-log-path=${log}`);
    const answers: string[] = [];
    const ask = async (method: string, path: string, options: Parameters<ApiClient["ask"]>[2] = {}) => {
      const { status, headers, text, bytes } = await api.ask(method, path, options);
      // Protobuf has times and versions in forms that cannot be found in it.
      const shown = String(headers["content-type"]).includes("protobuf") ? bytes.length : normal(text);
      answers.push(
        `${method} ${path} ${status} ${headers["content-type"]} ${headers.warning ?? ""} ${shown}`,
      );
    };
    const budgets = "/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets";
    const budget = large({
      apiVersion: "policy/v1beta1",
      kind: "PodDisruptionBudget",
      metadata: { name: "b" },
    });
    const strict = "fieldValidation=Strict";
    await ask("POST", configMaps, { body: large(configMap("a")) });
    await ask("POST", configMaps, { body: large(configMap("a")) });
    await ask("POST", `${configMaps}?${strict}`, { body: { ...large(configMap("b")), datum: {} } });
    await ask("POST", `${configMaps}?fieldValidation=Warn`, {
      body: { ...large(configMap("b")), datum: {} },
    });
    await ask("POST", `${configMaps}?dryRun=All`, { body: large(configMap("dry")) });
    await ask("GET", `${configMaps}/dry`);
    await ask("POST", configMaps, { body: large({ metadata: { name: "Not A Name" } }) });
    await ask("POST", configMaps, {
      raw: `${"{".repeat(laneRequestBytes)}`,
      contentType: "application/json",
    });
    await ask("PUT", `${configMaps}/a`, { body: { ...large(configMap("a")), data: { b: "c" } } });
    await ask("PATCH", `${configMaps}/a`, { raw: '{"data":{"d":"e"}}', contentType: mergePatch });
    await ask("PATCH", `${configMaps}/applied?fieldManager=me`, {
      body: large({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" } }),
      contentType: "application/apply-patch+yaml",
    });
    // A deprecated version: its warning comes once.
    await ask("POST", budgets, { body: { ...budget, spec: { minAvailable: 1 } } });
    await ask("GET", `${budgets}/b`);
    await ask("GET", `/apis/policy/v1/namespaces/default/poddisruptionbudgets/b`);
    for (const accept of [
      "application/yaml",
      "application/vnd.kubernetes.protobuf",
      "application/json;as=Table;g=meta.k8s.io;v=v1",
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
    ]) {
      await ask("GET", `${configMaps}/a`, { headers: { accept } });
    }
    await ask("GET", `${configMaps}/a?pretty=true`);
    await ask("DELETE", `${configMaps}/a`);
    await ask("DELETE", `${configMaps}/b`, {
      body: { large: "x".repeat(laneRequestBytes), gracePeriodSeconds: 0 },
    });
    const inLanes = await answeredByLanes(api);
    expect(inLanes > 0).toBe(!args.includes("--max-lanes=0"));
    await server.stop();
    const events = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes('"namespace":"default"'))
      .map(normal);
    return { answers, events };
  }

  test("answers, warnings and audit events are the same", async () => {
    const inline = await exchange("--max-lanes=0");
    const byLane = await exchange();
    expect(byLane.answers).toEqual(inline.answers);
    expect(byLane.events).toEqual(inline.events);
    expect(inline.events.length).toBeGreaterThan(15);
  });
});

test("a server that stops answers what is in a lane first", async () => {
  const server = await startServer({ args: [`--lane-request-bytes=${laneRequestBytes}`] });
  servers.push(server);
  const api = new ApiClient(server);
  let exitStatus: Promise<number | null> | undefined;
  webhook.answers.set("/slow", () => {
    exitStatus = server.stop();
    return { after: refusesConnections(server.port) };
  });
  await api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "slow" },
    webhooks: [
      {
        name: "slow.example.com",
        clientConfig: { url: webhook.url("/slow"), caBundle: webhook.caBundle },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        timeoutSeconds: 30,
      },
    ],
  });
  expect((await api.post(configMaps, large(configMap("a")))).status).toBe(201);
  expect(await exitStatus).toBe(0);
});

async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
    } catch {
      return;
    } finally {
      socket.destroy();
    }
    await setTimeout(20);
  }
}

test("encrypted resources stay so", async () => {
  const config = join(directory, "encryption.json");
  const provider = { secretbox: { keys: [{ name: "k", secret: Buffer.alloc(32, 1).toString("base64") }] } };
  writeFileSync(config, encryptionConfig([provider]));
  const { server, api } = await start(`--encryption-provider-config=${config}`);
  const secret = { ...large({ metadata: { name: "a" } }), stringData: { a: "must-not-reach-the-disk" } };
  expect((await api.post("/api/v1/namespaces/default/secrets", secret)).status).toBe(201);
  expect((await api.get("/api/v1/namespaces/default/secrets/a")).body.data.a).toBe(
    Buffer.from("must-not-reach-the-disk").toString("base64"),
  );
  await server.stop();
  const stored = readFileSync(join(server.dataDirectory, "store", "data.mdb"));
  expect(stored.includes("must-not-reach-the-disk")).toBe(false);
  expect(stored.includes("k8s:enc:secretbox:v1:k:")).toBe(true);
});

test("a trace goes on in a lane, and webhooks hear of it", async () => {
  const collector = await startTraceCollector();
  const file = join(directory, "tracing.json");
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "apiserver.config.k8s.io/v1alpha1",
      kind: "TracingConfiguration",
      endpoint: collector.endpoint,
      samplingRatePerMillion: 0,
    }),
  );
  try {
    const { api } = await start("--feature-gates=APIServerTracing=true", `--tracing-config-file=${file}`);
    await api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      metadata: { name: "traced" },
      webhooks: [
        {
          name: "traced.example.com",
          clientConfig: { url: webhook.url("/traced"), caBundle: webhook.caBundle },
          rules: [
            { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
          ],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          timeoutSeconds: 30,
        },
      ],
    });
    const traceId = "a".repeat(32);
    const created = await api.ask("POST", configMaps, {
      body: large(configMap("traced")),
      headers: { traceparent: `00-${traceId}-00000000000000a1-01` },
    });
    expect(created.status, created.text).toBe(201);
    const rootSpan = () => collector.spans.find(({ name }) => name === "HTTP POST");
    await expect.poll(rootSpan).toBeDefined();
    const root = rootSpan();
    if (root === undefined) throw new Error("no span");
    const tree = collector.tree(root);
    for (const name of ["  lane", "    decode", "    admission: admit", "    store create", "    encode"]) {
      expect(tree).toContain(name);
    }
    const call = collector.spans.find(({ name }) => name === "webhook traced.example.com");
    expect(webhook.seen.at(-1)?.headers.traceparent).toBe(`00-${traceId}-${call?.spanId}-01`);
  } finally {
    collector.close();
  }
});

test.each([false, true])("a long answer is compressed for who accepts it, HTTP/2: %s", async (http2) => {
  const { server } = await start();
  const api = new ApiClient(server, { http2 });
  const object = { metadata: { name: "long" }, data: { long: "x".repeat(200_000) } };
  const headers = { "accept-encoding": "gzip" };
  const created = await api.ask("POST", configMaps, { body: object, headers });
  expect([created.status, created.headers["content-encoding"]]).toEqual([201, "gzip"]);
  expect(JSON.parse(gunzipSync(created.bytes).toString()).data).toEqual(object.data);
  const plain = await api.put(`${configMaps}/long`, object);
  expect(plain.body.data).toEqual(object.data);
  expect(await answeredByLanes(api)).toBe(2);
});

test("another profile has its own names in a lane too", async () => {
  const server = await startServerHere({ profile: "orch", args: ["--lane-request-bytes=0"] });
  servers.push(server);
  const api = new ApiClient(server);
  const created = await api.post(configMaps, configMap("a"));
  expect([created.status, created.body.kind]).toEqual([201, "ConfigMap"]);
  const { body } = await api.get("/apis");
  const group = body.groups.find(({ name }: { name: string }) => name.startsWith("rbac"));
  const roles = `/apis/${group.preferredVersion.groupVersion}/clusterroles`;
  expect((await api.post(roles, { metadata: { name: "a" }, rules: [] })).body.apiVersion).toBe(
    group.preferredVersion.groupVersion,
  );
  expect(await answeredByLanes(api)).toBe(2);
});
