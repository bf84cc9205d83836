import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { ConnectProxy } from "../support/connect-proxy.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { startWebhookServer, type WebhookServer } from "../support/webhook-server.js";
import { whoAmI } from "../support/who-am-i.js";

/** Webhooks at names that mean something behind the proxies of `--egress-selector-config-file` only. */

const directory = mkdtempSync(join(tmpdir(), "egress-webhooks-"));
const reviews: string[] = [];
let reviewer: Server;
let admission: WebhookServer;
let controlplane: ConnectProxy;
let cluster: ConnectProxy;
let server: ServerHere;
let api: ApiClient;

beforeAll(async () => {
  reviewer = createServer(async (request, answer) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const review = JSON.parse(Buffer.concat(pieces).toString("utf8")) as { kind: string; apiVersion: string };
    reviews.push(review.kind);
    const status =
      review.kind === "TokenReview"
        ? { authenticated: true, user: { username: "from-far-away" } }
        : { allowed: true };
    answer.setHeader("Content-Type", "application/json");
    answer.end(JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, status }));
  });
  await new Promise<void>((resolve) => reviewer.listen(0, "127.0.0.1", resolve));
  const reviewerPort = (reviewer.address() as AddressInfo).port; // it listens on a port
  admission = await startWebhookServer(["admission.invalid", "checks.default.svc"]);
  controlplane = await ConnectProxy.start({
    socketPath: join(directory, "controlplane.sock"),
    hosts: new Map([
      ["reviews.invalid:8080", reviewerPort],
      ["admission.invalid:443", admission.port],
    ]),
  });
  cluster = await ConnectProxy.start({ hosts: new Map([["checks.invalid:443", admission.port]]) });
  server = await startServerHere({
    args: [
      `--egress-selector-config-file=${egressFile()}`,
      `--authentication-token-webhook-config-file=${clientConfig()}`,
      "--authorization-mode=RBAC,Webhook",
      `--authorization-webhook-config-file=${clientConfig()}`,
      `--audit-policy-file=${auditPolicy()}`,
      `--audit-webhook-config-file=${clientConfig()}`,
      "--audit-webhook-mode=blocking",
    ],
  });
  api = new ApiClient(server);
});

afterAll(async () => {
  await api?.close();
  await server?.dispose();
  await Promise.all([controlplane.stop(), cluster.stop(), admission.close()]);
  reviewer.close();
  rmSync(directory, { recursive: true, force: true });
});

function write(name: string, document: object): string {
  const file = join(directory, name);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

function egressFile(): string {
  const connection = (transport: object) => ({ proxyProtocol: "HTTPConnect", transport });
  return write("egress.json", {
    apiVersion: "apiserver.k8s.io/v1beta1",
    kind: "EgressSelectorConfiguration",
    egressSelections: [
      {
        name: "controlplane",
        connection: connection({ uds: { udsName: join(directory, "controlplane.sock") } }),
      },
      { name: "cluster", connection: connection({ tcp: { url: `http://127.0.0.1:${cluster.port}` } }) },
    ],
  });
}

function clientConfig(): string {
  return write("webhook.json", {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "it", cluster: { server: "http://reviews.invalid:8080/review" } }],
    contexts: [{ name: "it", context: { cluster: "it", user: "us" } }],
    users: [{ name: "us", user: {} }],
    "current-context": "it",
  });
}

function auditPolicy(): string {
  return write("audit.json", {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    rules: [{ level: "Metadata", resources: [{ group: "", resources: ["configmaps"] }] }],
  });
}

test("reviews of tokens and of access, and audit events, go through the proxy of the control plane", async () => {
  expect((await whoAmI(server, { token: "some-token" })).user).toBe("from-far-away");
  const maps = "/api/v1/namespaces/default/configmaps";
  expect((await api.post(maps, { metadata: { name: "one" } })).status).toBe(201);
  expect(new Set(reviews)).toEqual(new Set(["TokenReview", "SubjectAccessReview", "EventList"]));
  expect(new Set(controlplane.asked)).toEqual(new Set(["reviews.invalid:8080"]));
});

test("admission webhooks by URL go through that of the control plane, those by service through the cluster's", async () => {
  controlplane.asked.length = 0;
  await api.post("/api/v1/namespaces/default/services", {
    metadata: { name: "checks" },
    spec: { type: "ExternalName", externalName: "checks.invalid" },
  });
  const webhook = (name: string, path: string, clientConfig: object) => ({
    name: `${name}.example.com`,
    clientConfig: { ...clientConfig, caBundle: admission.caBundle },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["secrets"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    failurePolicy: "Fail",
    objectSelector: { matchLabels: { path } },
  });
  const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const created = await api.post(configurations, {
    metadata: { name: "both" },
    webhooks: [
      webhook("url", "url", { url: "https://admission.invalid/url" }),
      webhook("service", "service", { service: { namespace: "default", name: "checks", path: "/service" } }),
    ],
  });
  expect(created.status, created.text).toBe(201);
  const secrets = "/api/v1/namespaces/default/secrets";
  const paths = (): Set<string> => new Set(admission.seen.map(({ path }) => path));
  for (const path of ["url", "service"]) {
    await expect
      .poll(async () => {
        await api.post(secrets, { metadata: { generateName: "s-", labels: { path } } });
        return paths().has(`/${path}`);
      })
      .toBe(true);
  }
  expect(controlplane.asked).toContain("admission.invalid:443");
  expect(cluster.asked).toEqual(["checks.invalid:443"]);
});
