import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { startRemotePeer } from "../support/remote-peer.js";
import { runClient } from "../support/run-client.js";
import { startServer } from "../support/server-process.js";
import { TestAuthority } from "../support/test-authority.js";
import { type CollectedSpan, startTraceCollector, type TraceCollector } from "../support/trace-collector.js";
import { startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

let directory: string;
let collector: TraceCollector;
let server: ServerHere;
let api: ApiClient;
let hooks: WebhookServer;

/** Milliseconds for which the SDK collects spans, five seconds by default. */
const spanDelay = "OTEL_BSP_SCHEDULE_DELAY";

const configuration = (endpoint: string, rate: number): string =>
  JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint,
    samplingRatePerMillion: rate,
  });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tracing-"));
  vi.stubEnv(spanDelay, "50");
  collector = await startTraceCollector();
  writeFileSync(join(directory, "tracing.yaml"), configuration(collector.endpoint, 0));
  server = await startServerHere({
    args: [
      "--feature-gates=APIServerTracing=true",
      `--tracing-config-file=${join(directory, "tracing.yaml")}`,
    ],
  });
  api = new ApiClient(server);
  hooks = await startWebhookServer();
});

afterAll(async () => {
  await api.close();
  await hooks.close();
  await server.dispose();
  collector.close();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

/** The first span of a request, once it has come. */
async function rootOf(find: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
  const found = (): CollectedSpan | undefined =>
    collector.spans.find((span) => span.name.startsWith("HTTP ") && find(span));
  await expect.poll(found).toBeDefined();
  const root = found();
  if (root === undefined) throw new Error("no such span");
  return root;
}

const traceId = (digit: string): string => digit.repeat(32);
const traceparent = (digit: string, isSampled = true): string =>
  `00-${traceId(digit)}-00000000000000a1-${isSampled ? "01" : "00"}`;

test("a request of a sampled trace goes on it, with every step, and webhooks hear of it", async () => {
  const webhook = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "traced" },
    webhooks: [
      {
        name: "traced.example.com",
        clientConfig: { url: hooks.url("/traced"), caBundle: hooks.caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  };
  await api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", webhook);
  const created = await api.ask("POST", "/api/v1/namespaces/default/configmaps", {
    body: { metadata: { name: "traced" } },
    headers: { traceparent: traceparent("a") },
  });
  expect(created.status).toBe(201);
  const root = await rootOf(({ traceId: id }) => id === traceId("a"));
  expect(root).toMatchObject({
    name: "HTTP POST",
    parentId: "00000000000000a1",
    service: "kube-apiserver",
    attributes: { "http.status_code": "201", resource: "configmaps", verb: "create" },
    events: [
      "About to convert to expected version",
      "Conversion done",
      "About to store object in database",
      "Called validating webhook traced.example.com",
      "Object stored in database",
      "Writing http response done",
    ],
  });
  const tree = collector.tree(root);
  for (const name of [
    "  filters",
    "  decode",
    "  admission: admit",
    "    plugin NamespaceLifecycle",
    "  admission: validate",
    "    plugin ValidatingAdmissionWebhook",
    "      webhook traced.example.com",
    "  store create",
    "  encode",
  ]) {
    expect(tree).toContain(name);
  }
  const call = collector.spans.find(({ name }) => name === "webhook traced.example.com");
  const heard = hooks.seen.at(-1)?.headers.traceparent;
  expect(heard).toBe(`00-${traceId("a")}-${call?.spanId}-01`);
  await api.delete("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/traced");
});

test("a client that does not sample is not traced, nor one without a trace at a rate of 0", async () => {
  await api.ask("GET", "/api/v1/namespaces/default", { headers: { traceparent: traceparent("b", false) } });
  await api.get("/api/v1/namespaces/default");
  await api.ask("GET", "/api/v1/namespaces/default", { headers: { traceparent: traceparent("c") } });
  await rootOf(({ traceId: id }) => id === traceId("c"));
  expect(collector.spans.filter(({ traceId: id }) => id === traceId("b"))).toEqual([]);
});

test("an extension server and a token webhook hear of the trace", async () => {
  const authority = await TestAuthority.create("extension servers");
  const names = ["flunders.default.svc"];
  const group = "wardle.example.com";
  const extension = await ExtensionApiServer.start({ group, version: "v1", names, authority });
  const reviewer = await startRemotePeer({ authority }, () => ({
    body: { status: { authenticated: true, user: { username: "jane", groups: ["system:masters"] } } },
  }));
  const webhookFile = join(directory, "token-webhook.json");
  const cluster = {
    server: `${reviewer.url}/`,
    "certificate-authority-data": Buffer.from(authority.caPem).toString("base64"),
  };
  writeFileSync(
    webhookFile,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c" } }],
      clusters: [{ name: "c", cluster }],
    }),
  );
  const second = await startServerHere({
    args: [
      "--feature-gates=APIServerTracing=true",
      `--tracing-config-file=${join(directory, "tracing.yaml")}`,
      `--authentication-token-webhook-config-file=${webhookFile}`,
    ],
  });
  const admin = new ApiClient(second);
  const jane = new ApiClient(second, { anonymous: true });
  try {
    await admin.post("/api/v1/namespaces/default/services", {
      metadata: { name: "flunders" },
      spec: { type: "ExternalName", externalName: "localhost", ports: [{ port: extension.port }] },
    });
    await admin.post("/apis/apiregistration.k8s.io/v1/apiservices", {
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: "v1",
        groupPriorityMinimum: 2000,
        versionPriority: 20,
        service: { namespace: "default", name: "flunders", port: extension.port },
        caBundle: Buffer.from(authority.caPem).toString("base64"),
      },
    });
    const path = `/apis/${group}/v1/namespaces/default/flunders`;
    await expect.poll(async () => (await admin.get(path)).status).toBe(200);
    const headers = { authorization: "Bearer janes", traceparent: traceparent("e") };
    expect((await jane.ask("GET", path, { headers })).status).toBe(200);
    const asked = extension.requests.findLast(({ target }) => target === path);
    expect(asked?.headers.traceparent).toContain(traceId("e"));
    expect(reviewer.requests[0]?.headers.traceparent).toContain(traceId("e"));
    const root = await rootOf(({ traceId: id }) => id === traceId("e"));
    expect(collector.tree(root).slice(0, 3)).toEqual(["HTTP GET", "  filters", "    filter authentication"]);
  } finally {
    await admin.close();
    await jane.close();
    await second.dispose();
    await reviewer.close();
    await extension.stop();
  }
});

test("at a rate of a million, a collector sees the whole of a kubectl apply", async () => {
  writeFileSync(join(directory, "all.yaml"), configuration(collector.endpoint, 1_000_000));
  const all = await startServerHere({
    args: ["--feature-gates=APIServerTracing=true", `--tracing-config-file=${join(directory, "all.yaml")}`],
  });
  try {
    const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" }, data: { a: "b" } };
    const applied = await runClient(clientBinaries().kubectlCurrent, ["apply", "--server-side", "-f", "-"], {
      kubeconfig: all.kubeconfig,
      home: directory,
      input: JSON.stringify(manifest),
    });
    expect(applied.stderr).toBe("");
    const root = await rootOf(({ attributes }) => attributes.name === "applied");
    expect(root).toMatchObject({ name: "HTTP PATCH", parentId: "" });
    const tree = collector.tree(root);
    for (const name of ["  filters", "  store get", "  store create", "  encode"]) {
      expect(tree).toContain(name);
    }
    expect(tree).toContain("    plugin ResourceQuota");
  } finally {
    await all.dispose();
  }
});

test("a server that stops sends the spans that it has, also to a slow collector", async () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isAsked = false;
  const slow = await startTraceCollector(() => {
    isAsked = true;
    return opened;
  });
  writeFileSync(join(directory, "slow.yaml"), configuration(slow.endpoint, 1_000_000));
  const stopping = await startServer({
    args: ["--feature-gates=APIServerTracing=true", `--tracing-config-file=${join(directory, "slow.yaml")}`],
    // It still has them when it is stopped.
    env: { [spanDelay]: "60000" },
  });
  const admin = new ApiClient(stopping);
  try {
    for (let asked = 0; asked < 300; asked++)
      await admin.get(`/api/v1/namespaces/default/pods/none-${asked}`);
    await admin.close();
    const stopped = stopping.stop();
    await expect.poll(() => isAsked).toBe(true);
    expect(slow.spans).toEqual([]);
    open();
    expect(await stopped).toBe(0);
    const names = new Set(slow.spans.map(({ attributes }) => attributes.name));
    for (let asked = 0; asked < 300; asked++) expect(names).toContain(`none-${asked}`);
    expect(stopping.output()).not.toContain("traces could not be sent");
  } finally {
    await stopping.dispose();
    slow.close();
  }
});

test("a server whose collector is away answers, says so once, and stops in time", async () => {
  writeFileSync(join(directory, "away.yaml"), configuration("127.0.0.1:1", 1_000_000));
  const away = await startServer({
    args: ["--feature-gates=APIServerTracing=true", `--tracing-config-file=${join(directory, "away.yaml")}`],
    env: { OTEL_EXPORTER_OTLP_TIMEOUT: "500" },
  });
  const admin = new ApiClient(away);
  try {
    for (let asked = 0; asked < 20; asked++) {
      expect((await admin.get("/api/v1/namespaces/default")).status).toBe(200);
    }
    await expect.poll(() => away.output()).toContain("traces could not be sent");
    const [, line = "", ...more] = away.output().split("traces could not be sent");
    expect(line).not.toContain("stack");
    expect(more).toEqual([]);
  } finally {
    await admin.close();
    expect(await away.stop()).toBe(0);
    await away.dispose();
  }
});

test("without the gate APIServerTracing nothing is traced, and a line says so", async () => {
  const off = await startServerHere({
    args: [`--tracing-config-file=${join(directory, "tracing.yaml")}`],
  });
  const admin = new ApiClient(off);
  try {
    expect(off.output()).toContain(
      "--tracing-config-file has no effect without the feature gate APIServerTracing",
    );
    await admin.ask("GET", "/api/v1/namespaces/default", { headers: { traceparent: traceparent("d") } });
    // A span of the traced server comes after any that this one could have sent.
    await api.ask("GET", "/api/v1/namespaces/default", { headers: { traceparent: traceparent("f") } });
    await rootOf(({ traceId: id }) => id === traceId("f"));
    expect(collector.spans.filter(({ traceId: id }) => id === traceId("d"))).toEqual([]);
  } finally {
    await admin.close();
    await off.dispose();
  }
});

test("what is wrong with the configuration is told at the start", async () => {
  const file = join(directory, "wrong.yaml");
  writeFileSync(file, configuration("localhost:4317", 2_000_000));
  const start = startServerHere({
    args: ["--feature-gates=APIServerTracing=true", `--tracing-config-file=${file}`],
  });
  await expect(start).rejects.toThrow(
    `--tracing-config-file: ${file}: samplingRatePerMillion: sampling rate per million must be less than or equal to one million`,
  );
});
