import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { runClient } from "../support/run-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";
import { patchResponse, startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

const naming = createNaming("kubernetes");
const group = `/apis/${naming.group("admissionregistration")}/v1`;
const maps = "/api/v1/namespaces/default/configmaps";

let server: ServerProcess;
let api: ApiClient;
let hooks: WebhookServer;
const made: string[] = [];

beforeAll(async () => {
  server = await startServer();
  api = new ApiClient(server);
  hooks = await startWebhookServer(["guard.default.svc"]);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
  await hooks.close();
});

afterEach(async () => {
  for (const path of made.splice(0)) await api.delete(path);
  hooks.answers.clear();
  hooks.seen.length = 0;
});

const configMapRule = {
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE", "DELETE"],
  resources: ["configmaps"],
};

interface Hook {
  readonly path: string;
  readonly [field: string]: unknown;
}

async function configure(
  type: "mutating" | "validating",
  name: string,
  ...given: readonly Hook[]
): Promise<void> {
  const webhooks = given.map(({ path, ...changes }, index) => ({
    name: `hook-${index}.${name}.example.com`,
    clientConfig: { url: hooks.url(path), caBundle: hooks.caBundle },
    rules: [configMapRule],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...changes,
  }));
  const path = `${group}/${type}webhookconfigurations`;
  const answer = await api.post(path, { metadata: { name }, webhooks });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  made.push(`${path}/${name}`);
}

async function create(name: string, changes: object = {}, query = "") {
  const answer = await api.post(`${maps}${query}`, { metadata: { name }, data: { a: "1" }, ...changes });
  if (answer.status === 201 && query === "") made.push(`${maps}/${name}`);
  return answer;
}

test("a mutating webhook changes what is created, and sees who asks for what", async () => {
  await configure("mutating", "defaults", { path: "/defaults" });
  hooks.answers.set("/defaults", () => ({
    response: {
      ...patchResponse([{ op: "add", path: "/data/b", value: "2" }]),
      warnings: ["b was missing"],
    },
  }));
  const { status, body, headers } = await create("changed");
  expect([status, body.data]).toEqual([201, { a: "1", b: "2" }]);
  expect(headers.warning).toBe('299 - "b was missing"');
  expect(hooks.seen[0]?.review).toMatchObject({
    kind: "AdmissionReview",
    apiVersion: `${naming.group("admission")}/v1`,
    request: {
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      requestKind: { group: "", version: "v1", kind: "ConfigMap" },
      name: "changed",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: expect.any(String), groups: expect.arrayContaining(["system:masters"]) },
      object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "changed" }, data: { a: "1" } },
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: `${naming.group("meta")}/v1` },
    },
  });
});

test("a validating webhook refuses in its own words, on deletes too", async () => {
  await create("kept");
  await configure("validating", "guard", { path: "/guard" });
  hooks.answers.set("/guard", ({ request }) => ({
    response:
      request.operation === "DELETE"
        ? { allowed: false, status: { code: 403, message: `${request.oldObject.metadata.name} stays` } }
        : {},
  }));
  expect((await api.delete(`${maps}/kept`)).body).toMatchObject({
    code: 403,
    message: 'admission webhook "hook-0.guard.example.com" denied the request: kept stays',
  });
  hooks.answers.set("/guard", () => ({ response: { allowed: false } }));
  expect((await create("denied")).body).toMatchObject({
    code: 400,
    message: 'admission webhook "hook-0.guard.example.com" denied the request without explanation',
  });
  expect((await api.get(`${maps}/denied`)).status).toBe(404);
});

const failures: [string, () => Parameters<WebhookServer["answers"]["set"]>[1], RegExp][] = [
  ["garbage", () => () => ({ text: "{" }), /failed to call webhook: /],
  ["a failure", () => () => ({ status: 500, text: "no" }), /the server responded with the status code 500/],
  ["another uid", () => () => ({ response: { uid: "other" } }), /expected response.uid="[^"]+", got "other"/],
  [
    "no response",
    () =>
      ({ apiVersion, kind }) => ({ text: JSON.stringify({ apiVersion, kind }) }),
    /webhook response was absent/,
  ],
  ["silence", () => () => ({ hang: true }), /context deadline exceeded/],
];

test.each(failures)(
  "%s fails the request, or passes it when failures are ignored",
  async (what, answer, reason) => {
    hooks.answers.set("/broken", answer());
    const hook = { path: "/broken", timeoutSeconds: what === "silence" ? 1 : 30 };
    await configure("validating", "strict", hook);
    const { body } = await create("broken");
    expect(body).toMatchObject({
      code: 500,
      reason: "InternalError",
      message: expect.stringMatching(
        /^Internal error occurred: failed calling webhook "hook-0\.strict\.example\.com": /,
      ),
    });
    expect(body.message).toMatch(reason);
    await api.delete(`${group}/validatingwebhookconfigurations/strict`);
    await configure("validating", "lenient", { ...hook, failurePolicy: "Ignore" });
    expect((await create("broken")).status).toBe(201);
  },
);

test("a webhook that cannot be reached, or has another certificate, fails", async () => {
  const clientConfig = { url: "https://127.0.0.1:1/x", caBundle: hooks.caBundle };
  await configure("validating", "away", { path: "/away", clientConfig });
  expect((await create("x")).body.message).toMatch(/connection refused/);
  await api.delete(`${group}/validatingwebhookconfigurations/away`);
  await configure("validating", "stranger", { path: "/", clientConfig: { url: hooks.url("/") } });
  expect((await create("x")).body.message).toMatch(/x509: |certificate/);
});

test("selectors and rules choose what a webhook sees", async () => {
  await api.post("/api/v1/namespaces", { metadata: { name: "watched", labels: { team: "a" } } });
  made.push("/api/v1/namespaces/watched");
  await configure(
    "validating",
    "chooser",
    { path: "/namespace", namespaceSelector: { matchLabels: { team: "a" } } },
    { path: "/object", objectSelector: { matchLabels: { seen: "yes" } } },
    { path: "/scale", rules: [{ ...configMapRule, apiGroups: ["apps"], resources: ["*/scale"] }] },
    { path: "/cluster", rules: [{ ...configMapRule, resources: ["*"], scope: "Cluster" }] },
  );
  await create("plain");
  expect(hooks.seen).toEqual([]);
  await create("labelled", { metadata: { name: "labelled", labels: { seen: "yes" } } });
  expect(hooks.seen.map(({ path }) => path)).toEqual(["/object"]);
  await api.post("/api/v1/namespaces/watched/configmaps", { metadata: { name: "x" } });
  expect(hooks.seen.map(({ path }) => path)).toEqual(["/object", "/namespace"]);
});

test("an equivalent version is converted for the webhook, with Exact it is not seen", async () => {
  const rules = [
    {
      operations: ["CREATE"],
      apiGroups: ["autoscaling"],
      apiVersions: ["v1"],
      resources: ["horizontalpodautoscalers"],
    },
  ];
  await configure(
    "mutating",
    "versions",
    { path: "/equivalent", rules },
    { path: "/exact", rules, matchPolicy: "Exact" },
  );
  hooks.answers.set("/equivalent", ({ request }) => ({
    response: patchResponse([
      { op: "replace", path: "/spec/maxReplicas", value: request.object.spec.maxReplicas + 1 },
    ]),
  }));
  const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  const spec = { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } };
  const { status, body } = await api.post(path, { metadata: { name: "h" }, spec });
  made.push(`${path}/h`);
  expect([status, body.apiVersion, body.spec.maxReplicas]).toEqual([201, "autoscaling/v2", 4]);
  expect(hooks.seen).toMatchObject([
    {
      path: "/equivalent",
      review: {
        request: {
          kind: { version: "v1" },
          requestKind: { version: "v2" },
          object: { apiVersion: "autoscaling/v1" },
        },
      },
    },
  ]);
});

test("a webhook that asks for it is called again when a later one changes the object", async () => {
  await configure(
    "mutating",
    "again",
    { path: "/first", reinvocationPolicy: "IfNeeded" },
    { path: "/second" },
  );
  hooks.answers.set("/second", ({ request }) => ({
    response:
      request.object.data.b === undefined ? patchResponse([{ op: "add", path: "/data/b", value: "2" }]) : {},
  }));
  expect((await create("twice")).status).toBe(201);
  expect(hooks.seen.map(({ path, review }) => [path, review.request.object.data.b])).toEqual([
    ["/first", undefined],
    ["/second", undefined],
    ["/first", "2"],
  ]);
});

test("a dry run is told to webhooks without side effects, and refused for others", async () => {
  await configure("validating", "dry", { path: "/dry" });
  expect((await create("dry", {}, "?dryRun=All")).status).toBe(201);
  expect(hooks.seen[0]?.review.request).toMatchObject({ dryRun: true, options: { dryRun: ["All"] } });
});

test("kubectl meets webhooks with client-side and server-side apply", async () => {
  await configure("mutating", "labels", { path: "/labels" });
  await configure("validating", "no-secrets", { path: "/no-secrets" });
  hooks.answers.set("/labels", () => ({
    response: patchResponse([{ op: "add", path: "/metadata/labels", value: { owner: "webhook" } }]),
  }));
  hooks.answers.set("/no-secrets", ({ request }) => ({
    response: {
      allowed: request.object?.data?.password === undefined,
      status: { message: "no passwords here" },
    },
  }));
  const { kubectlCurrent } = clientBinaries();
  const apply = (password: boolean, ...args: string[]) =>
    runClient(kubectlCurrent, ["apply", ...args, "-f", "-", "-o", "jsonpath={.metadata.labels.owner}"], {
      kubeconfig: server.kubeconfig,
      home: server.dataDirectory,
      input: JSON.stringify({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "applied", namespace: "default" },
        data: password ? { password: "x" } : { a: "1" },
      }),
    });
  for (const args of [[], ["--server-side", "--force-conflicts"]]) {
    expect(await apply(false, ...args)).toMatchObject({ status: 0, stdout: "webhook" });
    const refused = await apply(true, ...args);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(
      'admission webhook "hook-0.no-secrets.example.com" denied the request: no passwords here',
    );
  }
  made.push(`${maps}/applied`);
});

test("a webhook behind a service is reached by the service's name", async () => {
  await api.post("/api/v1/namespaces/default/services", {
    metadata: { name: "guard" },
    spec: { type: "ExternalName", externalName: "localhost" },
  });
  made.push("/api/v1/namespaces/default/services/guard");
  const service = { name: "guard", namespace: "default", path: "/in-cluster", port: hooks.port };
  const clientConfig = { service, caBundle: hooks.caBundle };
  await configure("validating", "service", { path: "/", clientConfig });
  const answer = await create("by-service");
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  expect(hooks.seen.map(({ path }) => path)).toEqual(["/in-cluster"]);
});

test("calls and refusals are counted", async () => {
  const { text } = await api.ask("GET", "/metrics");
  expect(text).toMatch(
    /apiserver_admission_webhook_rejection_count\{name="hook-0\.guard\.example\.com",type="validating",operation="DELETE",error_type="no_error",rejection_code="403"\} 1/,
  );
  expect(text).toMatch(
    /apiserver_admission_webhook_admission_duration_seconds_count\{name="hook-0\.defaults/,
  );
});
