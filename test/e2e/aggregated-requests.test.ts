import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { availability, registerServer } from "../support/api-services.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";
import { TestAuthority } from "../support/test-authority.js";
import { startTraceCollector, type TraceCollector } from "../support/trace-collector.js";

/** What the filters do with requests that an extension server answers. */

const group = "wardle.example.com";
const base = `/apis/${group}/v1`;
const flunders = `${base}/namespaces/default/flunders`;

let directory: string;
let extension: ExtensionApiServer;
let collector: TraceCollector;
let ground: GroundHere;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "aggregated-"));
  const authority = await TestAuthority.create("extension servers");
  extension = await ExtensionApiServer.start({
    group,
    version: "v1",
    names: ["flunders.default.svc"],
    authority,
  });
  collector = await startTraceCollector();
  const write = (name: string, document: object): string => {
    writeFileSync(join(directory, name), JSON.stringify(document));
    return join(directory, name);
  };
  const policy = write("policy.yaml", {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    rules: [{ level: "RequestResponse", resources: [{ group }] }, { level: "None" }],
  });
  const tracing = write("tracing.yaml", {
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint: collector.endpoint,
  });
  ground = await openGroundHere([
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${join(directory, "audit.log")}`,
    "--feature-gates=APIServerTracing=true",
    `--tracing-config-file=${tracing}`,
  ]);
  await registerServer(ground.api, { group, version: "v1", port: extension.port, authority });
  await vi.waitFor(async () => expect((await availability(ground.api, "v1", group)).status).toBe("True"), {
    timeout: 60_000,
  });
  await ground.api.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "jane" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  });
});

afterAll(async () => {
  await ground.dispose();
  await extension.stop();
  collector.close();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(() => {
  extension.mood = "well";
  extension.requests.length = 0;
});

const asJane = { "Impersonate-User": "jane" };

/** Resolves with the status when the head of the answer is there. */
async function open(path: string): Promise<{ readonly status: number; close(): void }> {
  return await new Promise((resolve, reject) => {
    const call = httpsRequest(`${ground.server.url}${path}`, {
      ...ground.api.tls,
      headers: asJane,
      agent: false,
    });
    call.on("response", (answer) => {
      answer.on("error", () => undefined).resume();
      resolve({ status: answer.statusCode ?? 0, close: () => call.destroy() });
    });
    call.on("error", reject);
    call.end();
  });
}

async function metric(name: string, ...labels: string[]): Promise<string[]> {
  const { text } = await ground.api.get("/metrics");
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)));
}

test("audit events have what the request asked and how it was answered, and no bodies at any level", async () => {
  const created = await ground.api.ask("POST", flunders, {
    body: { metadata: { name: "seen" } },
    headers: asJane,
  });
  const refused = await ground.api.get(`${flunders}/none`);
  expect([created.status, refused.status]).toEqual([201, 404]);
  const eventOf = (id: unknown): Record<string, unknown> | undefined =>
    readFileSync(join(directory, "audit.log"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .find(({ auditID, stage }) => auditID === id && stage === "ResponseComplete");
  await expect.poll(() => eventOf(refused.headers["audit-id"])).toBeDefined();
  const event = eventOf(created.headers["audit-id"]);
  expect(event).toMatchObject({
    level: "RequestResponse",
    verb: "create",
    requestURI: flunders,
    impersonatedUser: { username: "jane" },
    objectRef: { apiGroup: group, apiVersion: "v1", resource: "flunders", namespace: "default" },
    responseStatus: { code: 201 },
    annotations: { "authorization.k8s.io/decision": "allow" },
  });
  expect(event).not.toHaveProperty("requestObject");
  expect(event).not.toHaveProperty("responseObject");
  expect(eventOf(refused.headers["audit-id"])).toMatchObject({
    verb: "get",
    objectRef: { name: "none" },
    responseStatus: { code: 404 },
  });
});

test("the audit ID of a client goes on to the extension server", async () => {
  await ground.api.ask("GET", flunders, { headers: { "Audit-ID": "of-the-client" } });
  expect(extension.requests.at(-1)?.headers["audit-id"]).toBe("of-the-client");
});

test("watches are long-running and hold no seat", async () => {
  const watches = await Promise.all(Array.from({ length: 20 }, () => open(`${base}/flunders?watch=true`)));
  expect(new Set(watches.map(({ status }) => status))).toEqual(new Set([200]));
  const executing = await metric(
    "apiserver_flowcontrol_request_concurrency_in_use",
    'flow_schema="global-default"',
  );
  expect(executing.map((line) => line.split(" ").at(-1))).toEqual(["0"]);
  for (const each of watches) each.close();
});

test("a list takes one seat while it runs, and is counted among those in flight", async () => {
  extension.mood = "hangs";
  const reads = Array.from({ length: 3 }, () =>
    ground.api.ask("GET", `${flunders}?timeout=2s`, { headers: asJane }),
  );
  await expect.poll(() => extension.hanging).toBe(3);
  const seats = await metric(
    "apiserver_flowcontrol_request_concurrency_in_use",
    'flow_schema="global-default"',
  );
  expect(seats.map((line) => line.split(" ").at(-1))).toEqual(["3"]);
  const [inFlight = ""] = await metric("apiserver_current_inflight_requests", 'request_kind="readOnly"');
  expect(Number(inFlight.split(" ").at(-1))).toBeGreaterThanOrEqual(3);
  expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([504]));
});

test("a request ends when its time is up, also at the extension server", async () => {
  extension.mood = "hangs";
  const answer = await ground.api.get(`${flunders}?timeout=300ms`);
  expect([answer.status, answer.body.reason]).toEqual([504, "Timeout"]);
  await expect.poll(() => extension.hanging).toBe(0);
  const terminated = await metric(
    "apiserver_request_terminations_total",
    'resource="flunders"',
    'code="504"',
  );
  expect(terminated).toEqual([expect.stringContaining(`group="${group}",version="v1"`)]);
});

test("a client that leaves ends its request at the extension server", async () => {
  extension.mood = "hangs";
  const call = httpsRequest(`${ground.server.url}${flunders}`, { ...ground.api.tls, agent: false });
  call.on("error", () => undefined);
  call.end();
  await expect.poll(() => extension.hanging).toBe(1);
  call.destroy();
  await expect.poll(() => extension.hanging).toBe(0);
});

test("discovery waits five seconds and no longer", async () => {
  extension.mood = "hangs";
  const answer = await ground.api.get(base);
  expect([answer.status, answer.text]).toEqual([
    503,
    "error trying to reach service: context deadline exceeded\n",
  ]);
  await expect.poll(() => extension.hanging).toBe(0);
});

test("a redirect is not passed on", async () => {
  extension.mood = "redirects";
  const answer = await ground.api.get(flunders);
  const refusal = "the backend attempted to redirect this request, which is not permitted";
  expect([answer.status, answer.text, answer.headers.location]).toEqual([502, refusal, undefined]);
  expect(await upgrade(`${flunders}/a/exec`)).toEqual({ status: 502, text: refusal });
});

async function upgrade(path: string): Promise<{ readonly status: number; readonly text: string }> {
  return await new Promise((resolve, reject) => {
    const call = httpsRequest(`${ground.server.url}${path}`, {
      ...ground.api.tls,
      headers: { Connection: "Upgrade", Upgrade: "echo" },
      agent: false,
    });
    call.on("response", async (answer) => {
      let text = "";
      for await (const piece of answer) text += piece;
      resolve({ status: answer.statusCode ?? 0, text });
    });
    call.on("upgrade", () => reject(new Error("upgraded")));
    call.on("error", reject);
    call.end();
  });
}

test("a trace goes on to the extension server", async () => {
  const traceId = "d".repeat(32);
  await ground.api.ask("GET", flunders, {
    headers: { traceparent: `00-${traceId}-00000000000000a1-01` },
  });
  const sent = String(extension.requests.at(-1)?.headers.traceparent);
  expect(sent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  await expect
    .poll(() => collector.spans.filter((span) => span.traceId === traceId).map(({ spanId }) => spanId))
    .toContain(sent.split("-")[2]);
});
