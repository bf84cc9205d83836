import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

interface Review {
  readonly apiVersion: string;
  readonly spec: {
    readonly user: string;
    readonly resourceAttributes?: { readonly verb: string; readonly resource: string };
  };
}
type Verdict = { readonly allowed: boolean; readonly denied?: boolean; readonly reason?: string };

let home: string;
let file: string;
let server: ServerHere;
const hooks: { readonly server: Server; readonly reviews: Review[]; verdict: Verdict | undefined }[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "structured-authorization-"));
  file = join(home, "authorization.yaml");
  for (const name of ["first", "second"]) {
    const hook = {
      server: createServer(),
      reviews: [] as Review[],
      verdict: { allowed: false } as Verdict | undefined,
    };
    hook.server.on("request", async (request, response) => {
      let text = "";
      for await (const piece of request) text += piece;
      const review = JSON.parse(text) as Review;
      hook.reviews.push(review);
      response.statusCode = hook.verdict === undefined ? 400 : 200;
      response.setHeader("Content-Type", "application/json");
      response.end(
        JSON.stringify({ apiVersion: review.apiVersion, kind: "SubjectAccessReview", status: hook.verdict }),
      );
    });
    await once(hook.server.listen(0, "127.0.0.1"), "listening");
    hooks.push(hook);
    const { port } = hook.server.address() as AddressInfo; // a TCP server that listens
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}/judge` } }],
      users: [{ name: "u", user: {} }],
    };
    writeFileSync(join(home, name), JSON.stringify(config));
  }
  writeFileSync(join(home, "tokens.csv"), "t-jane,jane,1\nt-joe,joe,2\n");
  write([webhook("first", { matchConditions: [{ expression: "request.user == 'jane'" }] }), rbac]);
  server = await startServerHere({
    args: [
      "--api-level=1.35",
      `--authorization-config=${file}`,
      `--token-auth-file=${join(home, "tokens.csv")}`,
    ],
  });
});

afterAll(async () => {
  await server?.dispose();
  for (const hook of hooks) hook.server.close();
  rmSync(home, { recursive: true, force: true });
});

const rbac = { type: "RBAC", name: "rbac" };

function webhook(name: string, change: object = {}) {
  return {
    type: "Webhook",
    name,
    webhook: {
      timeout: "3s",
      authorizedTTL: "1ms",
      unauthorizedTTL: "1ms",
      subjectAccessReviewVersion: "v1",
      matchConditionSubjectAccessReviewVersion: "v1",
      failurePolicy: "NoOpinion",
      connectionInfo: { type: "KubeConfigFile", kubeConfigFile: join(home, name) },
      ...change,
    },
  };
}

function document(authorizers: readonly object[], version = "v1") {
  return {
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: "AuthorizationConfiguration",
    authorizers,
  };
}

function write(authorizers: readonly object[]): void {
  writeFileSync(`${file}.new`, JSON.stringify(document(authorizers)));
  renameSync(`${file}.new`, file);
}

const secrets = "/api/v1/namespaces/default/secrets";

async function statusOf(user: string): Promise<number> {
  const response = await runClient(
    clientBinaries().kubectlCurrent,
    ["get", "--raw", secrets, `--token=t-${user}`],
    { home, kubeconfig: await tokenConfig() },
  );
  return response.status === 0 ? 200 : response.stderr.includes("orbidden") ? 403 : 500;
}

let config: string | undefined;
/** A kubeconfig without a certificate. */
async function tokenConfig(): Promise<string> {
  if (config === undefined) {
    config = join(home, "client.json");
    const cluster = { server: server.url, "insecure-skip-tls-verify": true };
    writeFileSync(
      config,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "c",
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
        clusters: [{ name: "c", cluster }],
        users: [{ name: "u", user: {} }],
      }),
    );
  }
  return config;
}

async function metric(line: string): Promise<number> {
  const api = new ApiClient(server);
  const { text } = await api.get("/metrics");
  await api.close();
  return Number(
    text
      .split("\n")
      .find((one) => one.startsWith(`${line} `) || one.startsWith(`${line},`))
      ?.split(" ")
      .at(-1) ?? 0,
  );
}

test("a webhook is asked where its conditions are met, and the next authorizer after it", async () => {
  const [first] = hooks;
  if (first === undefined) throw new Error("no webhook");
  first.verdict = { allowed: true };
  expect(await statusOf("jane")).toBe(200);
  expect(first.reviews).toMatchObject([
    {
      apiVersion: "authorization.k8s.io/v1",
      spec: { user: "jane", resourceAttributes: { resource: "secrets" } },
    },
  ]);
  expect(await statusOf("joe")).toBe(403);
  expect(first.reviews).toHaveLength(1);
  // Roles still let the administrator in.
  const api = new ApiClient(server);
  expect((await api.get(secrets)).status).toBe(200);
  await api.close();
  expect(
    await metric('apiserver_authorization_decisions_total{type="Webhook",name="first",decision="allowed"}'),
  ).toBe(1);
  expect(
    await metric('apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="first"}'),
  ).toBeGreaterThan(0);
});

test("the failure policy decides where a webhook fails", async () => {
  const [first] = hooks;
  if (first === undefined) throw new Error("no webhook");
  first.verdict = undefined;
  expect(await statusOf("jane")).toBe(500);
  expect(
    await metric('apiserver_authorization_webhook_evaluations_fail_open_total{name="first",result="error"}'),
  ).toBe(1);
  first.verdict = { allowed: false };
  expect(await statusOf("jane")).toBe(403);
});

test("a changed file is used without a restart, and a broken one is not", async () => {
  const [first, second] = hooks;
  if (first === undefined || second === undefined) throw new Error("no webhook");
  first.verdict = { allowed: false };
  second.verdict = { allowed: true };
  const count = (status: string) =>
    metric(`apiserver_authorization_config_controller_automatic_reloads_total{status="${status}"`);
  write([webhook("first"), webhook("second", { failurePolicy: "Deny" }), rbac]);
  await expect.poll(() => count("success")).toBe(1);
  expect([await statusOf("jane"), await statusOf("joe")]).toEqual([200, 200]);
  first.verdict = { allowed: false, denied: true, reason: "never" };
  expect(await statusOf("joe")).toBe(403);
  write([{ type: "RBAC", name: "" }]);
  await expect.poll(() => count("failure")).toBe(1);
  expect(await statusOf("joe")).toBe(403);
  write([webhook("second")]);
  await expect.poll(() => count("failure")).toBe(2);
  expect(server.output()).toContain("authorizers[0].name: Required value");
  expect(server.output()).toContain("authorizers of type RBAC can only be added and removed by a restart");
});

test.each<[string, readonly string[], readonly object[], string]>([
  ["1.28", [], [rbac], "--authorization-config: unknown option at API level 1.28"],
  [
    "1.29",
    [],
    [rbac],
    "cannot be used without enabling the StructuredAuthorizationConfiguration feature flag",
  ],
  ["1.30", ["--authorization-mode=RBAC"], [rbac], "can not be specified when --authorization-mode"],
  ["1.35", [], [], "authorizers: Required value: at least one authorization mode must be defined"],
  ["1.35", [], [{ type: "ABAC", name: "abac" }], "ABAC requires --authorization-policy-file"],
])("at %s with %j and %j the server does not start", async (level, args, authorizers, problem) => {
  const other = join(home, "other.json");
  writeFileSync(other, JSON.stringify(document(authorizers, "v1beta1")));
  const started = startServerHere({
    args: [`--api-level=${level}`, `--authorization-config=${other}`, ...args],
  });
  await expect(started).rejects.toThrow(problem);
});

test("a duplicate key stops the start, because the last one would silently win", async () => {
  const other = join(home, "repeated.yaml");
  writeFileSync(other, `${JSON.stringify(document([rbac], "v1beta1")).slice(0, -1)},\n"authorizers": []}`);
  const started = startServerHere({ args: ["--api-level=1.30", `--authorization-config=${other}`] });
  await expect(started).rejects.toThrow('line 2: key "authorizers" already set in map');
});
