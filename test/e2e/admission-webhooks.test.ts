import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";
import { TestAuthority } from "../support/test-authority.js";
import { patchResponse, startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

const naming = createNaming("kubernetes");
const group = `/apis/${naming.group("admissionregistration")}/v1`;
const maps = "/api/v1/namespaces/default/configmaps";

let server: ServerHere;
let api: ApiClient;
let hooks: WebhookServer;
const made: string[] = [];

beforeAll(async () => {
  server = await startServerHere();
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
  expect(hooks.seen[0]?.headers["user-agent"]).toBe(`${naming.prefix}-apiserver-admission`);
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

test.each([
  ["requests.cpu", "1e3", "1e3"],
  ["requests.cpu", "2.0", "2"],
  ["requests.memory", "12345678901234567890", "12345678901234567890"],
])("a quantity of %s that a webhook writes as the number %s has that form", async (name, number, stored) => {
  const rule = { ...configMapRule, resources: ["resourcequotas"] };
  await configure("mutating", "numbers", { path: "/numbers", rules: [rule] });
  hooks.answers.set("/numbers", () => ({
    response: {
      allowed: true,
      patchType: "JSONPatch",
      patch: Buffer.from(`[{"op":"add","path":"/spec/hard/${name}","value":${number}}]`).toString("base64"),
    },
  }));
  const quotas = "/api/v1/namespaces/default/resourcequotas";
  const quota = { metadata: { name: "numbers" }, spec: { hard: { pods: "9" } } };
  const answer = await api.post(`${quotas}?dryRun=All`, quota);
  expect([answer.status, answer.body.spec?.hard[name]]).toEqual([201, stored]);
});

test.each(["1.0", "1e3", "-0.0"])("a webhook does not write %s into an integer", async (number) => {
  const rule = { ...configMapRule, apiGroups: ["apps"], resources: ["deployments"] };
  await configure("mutating", "numbers", { path: "/numbers", rules: [rule] });
  const patch = Buffer.from(`[{"op":"add","path":"/spec/replicas","value":${number}}]`).toString("base64");
  hooks.answers.set("/numbers", () => ({ response: { allowed: true, patchType: "JSONPatch", patch } }));
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  const answer = await api.post("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "n" },
    spec,
  });
  expect([answer.status, answer.body.message]).toEqual([
    500,
    `Internal error occurred: json: cannot unmarshal number ${number} into Go struct field DeploymentSpec.spec.replicas of type int32`,
  ]);
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
  expect(hooks.seen.at(-1)?.review.request.options).toEqual({
    kind: "DeleteOptions",
    apiVersion: `${naming.group("meta")}/v1`,
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
  [
    "a failure",
    () => () => ({ status: 500, text: "no" }),
    /an error on the server \("unknown"\) has prevented the request from succeeding/,
  ],
  ["another uid", () => () => ({ response: { uid: "other" } }), /expected response.uid="[^"]+", got "other"/],
  [
    "no response",
    () =>
      ({ apiVersion, kind }) => ({ text: JSON.stringify({ apiVersion, kind }) }),
    /webhook response was absent/,
  ],
  ["an endless body", () => () => ({ text: " ".repeat(7 * 1024 * 1024) }), /the answer is longer than/],
  ["silence", () => () => ({ hang: true }), /context deadline exceeded/],
  ["a slow body", () => () => ({ drips: true }), /context deadline exceeded/],
];
const endedByTime = ["silence", "a slow body"];

test.each(failures)(
  "%s fails the request, or passes it when failures are ignored",
  async (what, answer, reason) => {
    hooks.answers.set("/broken", answer());
    const hook = { path: "/broken", timeoutSeconds: endedByTime.includes(what) ? 1 : 30 };
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

test.each([
  ["away", () => ({ url: "https://127.0.0.1:1/x", caBundle: hooks.caBundle }), /connection refused/],
  ["stranger", () => ({ url: hooks.url("/") }), /x509: |certificate/],
])(
  "a webhook that cannot be reached, or has another certificate, fails: %s",
  async (name, config, reason) => {
    await configure("validating", name, { path: "/", clientConfig: config() });
    const refused = await create(name);
    expect([refused.status, refused.body.reason]).toEqual([500, "InternalError"]);
    expect(refused.body.message).toMatch(reason);
    await api.delete(`${group}/validatingwebhookconfigurations/${name}`);
    await configure("mutating", name, { path: "/", clientConfig: config(), failurePolicy: "Ignore" });
    expect((await create(name)).status).toBe(201);
  },
);

test.each([
  [
    "too many operations",
    Array.from({ length: 20_000 }, () => ({ op: "test", path: "/data/a", value: "1" })),
  ],
  ["a field that is not there", [{ op: "remove", path: "/data/z" }]],
  ["no longer an object of its kind", [{ op: "replace", path: "/data", value: [1] }]],
  ["another kind", [{ op: "replace", path: "/kind", value: "Secret" }]],
  ["another version", [{ op: "replace", path: "/apiVersion", value: "v2" }]],
  ["too many values", [{ op: "add", path: "/metadata/finalizers", value: new Array(120_000).fill("a.b/c") }]],
])("a patch fails the request under both failure policies, and nothing else: %s", async (_what, patch) => {
  hooks.answers.set("/patch", () => ({ response: patchResponse(patch) }));
  for (const failurePolicy of ["Fail", "Ignore"]) {
    await configure("mutating", "patches", { path: "/patch", failurePolicy });
    const { status, body } = await create("patched");
    expect([status, body.kind]).toEqual([500, "Status"]);
    await api.delete(`${group}/mutatingwebhookconfigurations/patches`);
  }
  expect((await create("patched")).body.data).toEqual({ a: "1" });
});

test.each([
  ["expired", { names: ["127.0.0.1"], notAfter: Date.now() - 1000 }, /x509: certificate has expired/],
  ["elsewhere", { names: ["elsewhere.example.com"] }, /x509: certificate is not valid for the name asked/],
])(
  "a webhook with a certificate that does not hold fails under both failure policies: %s",
  async (name, of, reason) => {
    const authority = await TestAuthority.create("webhooks");
    const { certPem, keyPem } = await authority.issue({ commonName: name, usage: "server", ...of });
    const asked: string[] = [];
    const peer = createServer({ cert: certPem, key: keyPem }, ({ url = "" }) => void asked.push(url));
    peer.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = peer.address() as AddressInfo; // it listens on a port
      const caBundle = Buffer.from(authority.caPem).toString("base64");
      const hook = { path: "/", clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle } };
      for (const type of ["mutating", "validating"] as const) {
        await configure(type, name, { ...hook, failurePolicy: "Fail" });
        const { status, body } = await create(name);
        expect([status, body.message]).toEqual([500, expect.stringMatching(reason)]);
        await api.delete(`${group}/${type}webhookconfigurations/${name}`);
        await configure(type, `${name}-ignored`, { ...hook, failurePolicy: "Ignore" });
      }
      expect((await create(name)).status).toBe(201);
      expect(asked).toEqual([]);
    } finally {
      peer.close();
    }
  },
);

test("webhooks see subresources, connections, each item of a deletion, applied and custom resources", async () => {
  const definitions = `/apis/${naming.group("apiextensions")}/v1/customresourcedefinitions`;
  const boats = "/apis/example.com/v1/namespaces/default/boats";
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const definition = {
    metadata: { name: "boats.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "boats", kind: "Boat" },
      versions: [{ name: "v1", served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
  expect((await api.post(definitions, definition)).status).toBe(201);
  made.push(`${definitions}/boats.example.com`);
  await expect.poll(async () => (await api.get(boats)).status).toBe(200);
  const pods = "/api/v1/namespaces/default/pods";
  await expect
    .poll(async () => (await api.get("/api/v1/namespaces/default/serviceaccounts/default")).status)
    .toBe(200);
  const spec = { containers: [{ name: "a", image: "a" }], nodeName: "nowhere" };
  expect((await api.post(pods, { metadata: { name: "seen" }, spec })).status).toBe(201);

  const everything = {
    operations: ["*"],
    apiGroups: ["", "example.com"],
    apiVersions: ["*"],
    resources: ["*/*"],
  };
  await configure("validating", "watcher", {
    path: "/all",
    rules: [everything],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } },
  });
  const apply = { contentType: "application/apply-patch+yaml" };
  const boat = { apiVersion: "example.com/v1", kind: "Boat", metadata: { name: "b" }, status: { sails: 1 } };
  await api.ask("PATCH", `${boats}/b?fieldManager=t`, { ...apply, body: boat });
  await api.ask("PATCH", `${boats}/b/status?fieldManager=t`, { ...apply, body: boat });
  await api.post(boats, { ...boat, metadata: { name: "c" } });
  await api.ask("DELETE", boats);
  await api.ask("PATCH", `${pods}/seen/status`, {
    contentType: "application/merge-patch+json",
    body: { status: { phase: "Running" } },
  });
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "seen" } };
  await api.post(`${pods}/seen/eviction`, { ...eviction, deleteOptions: { dryRun: ["All"] } });
  await api.post(`${pods}/seen/eviction`, eviction);
  await api.ask("GET", `${pods}/seen/proxy/x`);
  const told = hooks.seen.map(({ review: { request } }) =>
    [request.operation, request.resource.resource, request.subResource ?? "", request.name ?? ""].join(" "),
  );
  expect(told.slice(0, 3)).toEqual(["CREATE boats  b", "UPDATE boats status b", "CREATE boats  c"]);
  expect(told.slice(3, 5).sort()).toEqual(["DELETE boats  ", "DELETE boats  "]);
  const deleted = hooks.seen.slice(3, 5).map(({ review }) => review.request.oldObject.metadata.name);
  expect(deleted.sort()).toEqual(["b", "c"]);
  expect(told.slice(5)).toContain("UPDATE pods status seen");
  expect(told.slice(5)).toContain("CREATE pods eviction seen");
  expect(told.slice(5)).toContain("CONNECT pods proxy seen");
  const evictions = hooks.seen.filter(({ review }) => review.request.subResource === "eviction");
  // It is the deletion that a dry run is asked of, not the create of the eviction.
  expect(evictions.map(({ review }) => review.request.dryRun)).toEqual([false, false]);
  const owned = { operation: "Update", apiVersion: "policy/v1", subresource: "eviction" };
  expect(evictions[0]?.review.request.object.metadata.managedFields).toMatchObject([
    { ...owned, fieldsV1: { "f:deleteOptions": { "f:dryRun": {} } } },
  ]);
  await api.ask("DELETE", `${pods}/seen?gracePeriodSeconds=0`);
});

test.each(["v1", "v2"])(
  "a webhook for one version of a custom resource keeps the fields of another, when %s is stored",
  async (stored) => {
    const definitions = `/apis/${naming.group("apiextensions")}/v1/customresourcedefinitions`;
    const plural = `ships${stored}`;
    const version = (name: string, fields: readonly string[], required: readonly string[]) => {
      const text = { type: "string" };
      const properties = Object.fromEntries(fields.map((field) => [field, text]));
      const spec = { type: "object", properties, required };
      const openAPIV3Schema = { type: "object", properties: { spec } };
      return { name, served: true, storage: name === stored, schema: { openAPIV3Schema } };
    };
    const definition = {
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural, kind: `Ship${stored}` },
        versions: [version("v1", ["sails"], []), version("v2", ["sails", "masts"], ["masts"])],
      },
    };
    expect((await api.post(definitions, definition)).status).toBe(201);
    made.push(`${definitions}/${plural}.example.com`);
    const ships = `/apis/example.com/v2/${plural}`;
    await expect.poll(async () => (await api.get(ships)).status).toBe(200);
    const rules = [
      { operations: ["CREATE"], apiGroups: ["example.com"], apiVersions: ["v1"], resources: [plural] },
    ];
    await configure("mutating", "sailor", { path: "/sails", rules });
    const patch = [
      { op: "add", path: "/spec/sails", value: "two" },
      { op: "add", path: "/spec/oars", value: "unknown" },
    ];
    hooks.answers.set("/sails", () => ({ response: patchResponse(patch) }));
    const created = await api.post(ships, {
      apiVersion: "example.com/v2",
      kind: `Ship${stored}`,
      metadata: { name: "s" },
      spec: { masts: "one" },
    });
    // What only the version of the request knows is there until the object is stored.
    const spec = { ...(stored === "v2" && { masts: "one" }), sails: "two" };
    expect(created).toMatchObject({ status: 201, body: { spec } });
    expect((await api.get(`${ships}/s`)).body.spec).toEqual(spec);
    expect(hooks.seen[0]?.review.request).toMatchObject({
      kind: { version: "v1" },
      object: { apiVersion: "example.com/v1", spec: { masts: "one" } },
    });
  },
);

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

test("a webhook that cannot be called, or answers what is no patch, takes one line in the log", async () => {
  await configure("validating", "nobody", {
    path: "/never",
    clientConfig: { url: "https://127.0.0.1:1/never", caBundle: hooks.caBundle },
  });
  await configure("mutating", "garbled", {
    path: "/garbled",
    rules: [{ ...configMapRule, resources: ["secrets"] }],
  });
  const bad = [{ op: "remove", path: "/data/not-there" }];
  hooks.answers.set("/garbled", () => ({ response: patchResponse(bad) }));
  const before = server.output().length;
  expect((await create("away")).status).toBe(500);
  const secret = { metadata: { name: "garbled" } };
  expect((await api.post("/api/v1/namespaces/default/secrets", secret)).status).toBe(500);
  await expect
    .poll(() => server.output().slice(before))
    .toMatch(/^W .*name="hook-0\.garbled\.example\.com".*$/m);
  // A slow machine adds traces of slow requests.
  const warnings = server
    .output()
    .slice(before)
    .match(/^W .*$/gm);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^W \S+ an admission webhook failed, so the request was refused .*connection refused/,
    ),
    expect.stringMatching(/^W \S+ an admission webhook failed, so the request was refused .*not-there/),
  ]);
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

test("a hundred webhooks see a request, each once, and any of them may refuse it", async () => {
  for (let index = 0; index < 50; index++) {
    await configure("mutating", `many-${String(index).padStart(2, "0")}`, { path: `/many/${index}` });
    await configure("validating", `many-${String(index).padStart(2, "0")}`, { path: `/judge/${index}` });
    hooks.answers.set(`/many/${index}`, () => ({
      response: patchResponse([{ op: "add", path: `/data/m${index}`, value: "x" }]),
    }));
  }
  const { status, body } = await create("many");
  expect([status, Object.keys(body.data).length]).toEqual([201, 51]);
  expect(hooks.seen.slice(0, 50).map(({ path }) => path)).toEqual(
    Array.from({ length: 50 }, (_, index) => `/many/${index}`),
  );
  expect(
    hooks.seen
      .slice(50)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(Array.from({ length: 50 }, (_, index) => `/judge/${index}`).sort());
  hooks.answers.set("/judge/49", () => ({ response: { allowed: false } }));
  expect((await create("one-against")).status).toBe(400);
});

test("while configurations change, a request meets the webhooks of one state", async () => {
  const path = `${group}/mutatingwebhookconfigurations/turns`;
  const hook = (state: number, index: number) => ({
    name: `h${index}.turns.example.com`,
    clientConfig: { url: hooks.url(`/state/${state}/${index}`), caBundle: hooks.caBundle },
    rules: [configMapRule],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    reinvocationPolicy: "IfNeeded",
  });
  const webhooks = (state: number) => [0, 1, 2].map((index) => hook(state, index));
  const states = 12;
  for (let state = 0; state < states; state++) {
    for (const index of [0, 1, 2]) {
      hooks.answers.set(`/state/${state}/${index}`, ({ request }) => {
        const seen = [...JSON.parse(request.object.data.seen ?? "[]"), `${state}/${index}`];
        return {
          response: patchResponse([{ op: "add", path: "/data/seen", value: JSON.stringify(seen) }]),
        };
      });
    }
  }
  await configure("mutating", "turns");
  const met: string[][] = [];
  let isDone = false;
  onTestFinished(() => {
    isDone = true;
  });
  const load = Array.from({ length: 8 }, async (_, client) => {
    for (let turn = 0; !isDone; turn++) {
      const { status, body } = await create(`turn-${client}-${turn}`);
      expect(status).toBe(201);
      met.push(JSON.parse(body.data.seen ?? "[]"));
    }
  });
  try {
    for (let state = 0; state < states; state++) {
      const answer = await api.ask("PATCH", path, {
        body: { webhooks: webhooks(state) },
        contentType: "application/merge-patch+json",
      });
      expect(answer.status, answer.text).toBe(200);
    }
  } finally {
    isDone = true;
    await Promise.all(load);
  }
  // Each of the three changes the object, so all are called again: the first two for the third, the third for them.
  const expected = (state: string) => ["0", "1", "2", "0", "1", "2"].map((index) => `${state}/${index}`);
  for (const seen of met.filter((each) => each.length > 0)) {
    expect(seen).toEqual(expected(seen[0]?.split("/")[0] ?? ""));
  }
  expect(met.filter((each) => each.length > 0).length).toBeGreaterThan(states / 2);
});

test("reviews of access and tokens are admitted", async () => {
  const rules = [
    {
      operations: ["CREATE"],
      apiGroups: ["authorization.k8s.io", "authentication.k8s.io"],
      apiVersions: ["v1"],
      resources: ["*"],
    },
  ];
  await configure("validating", "reviews", { path: "/reviews", rules });
  const resourceAttributes = { namespace: "default", verb: "get", resource: "pods" };
  const access = { spec: { user: "jane", resourceAttributes } };
  const self = await api.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    spec: { resourceAttributes },
  });
  expect([self.status, self.body.status]).toEqual([201, { allowed: true }]);
  await api.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", access);
  await api.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "x" } });
  expect(hooks.seen.map(({ review }) => [review.request.kind.kind, review.request.operation])).toEqual([
    ["SelfSubjectAccessReview", "CREATE"],
    ["SubjectAccessReview", "CREATE"],
    ["TokenReview", "CREATE"],
  ]);
  hooks.answers.set("/reviews", () => ({
    response: { allowed: false, status: { message: "no questions" } },
  }));
  const refused = await api.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", access);
  expect(refused.body.message).toContain("denied the request: no questions");
});

test("events of both groups are equivalent", async () => {
  const rules = [
    { operations: ["CREATE"], apiGroups: ["events.k8s.io"], apiVersions: ["v1"], resources: ["events"] },
  ];
  await configure(
    "mutating",
    "events",
    { path: "/events", rules },
    { path: "/exact", rules, matchPolicy: "Exact" },
  );
  hooks.answers.set("/events", ({ request }) => ({
    response: patchResponse([{ op: "add", path: "/note", value: `${request.object.reason}, noted` }]),
  }));
  const { status, body } = await api.post("/api/v1/namespaces/default/events", {
    metadata: { name: "e" },
    involvedObject: { namespace: "default" },
    reason: "Seen",
    message: "m",
  });
  made.push("/api/v1/namespaces/default/events/e");
  expect([status, body.message]).toEqual([201, "Seen, noted"]);
  expect(hooks.seen).toMatchObject([
    {
      path: "/events",
      review: {
        request: {
          kind: { group: "events.k8s.io", version: "v1", kind: "Event" },
          requestKind: { group: "", version: "v1", kind: "Event" },
          object: { apiVersion: "events.k8s.io/v1", note: "m" },
        },
      },
    },
  ]);
});

test("an operator's pair of webhooks sets defaults and refuses changes, for kubectl apply and server-side apply", async () => {
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "backups.stable.example.com" },
    spec: {
      group: "stable.example.com",
      scope: "Namespaced",
      names: { plural: "backups", singular: "backup", kind: "Backup" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  };
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  made.push("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/backups.stable.example.com");
  const backups = "/apis/stable.example.com/v1/namespaces/default/backups";
  await expect.poll(async () => (await api.get(backups)).status).toBe(200);
  // As the generators of controller-runtime lay them out.
  const rules = [
    {
      operations: ["CREATE", "UPDATE"],
      apiGroups: ["stable.example.com"],
      apiVersions: ["v1"],
      resources: ["backups"],
    },
  ];
  await configure("mutating", "defaulter", {
    path: "/mutate-stable-example-com-v1-backup",
    rules,
    failurePolicy: "Fail",
  });
  await configure("validating", "validator", {
    path: "/validate-stable-example-com-v1-backup",
    rules,
    failurePolicy: "Fail",
  });
  hooks.answers.set("/mutate-stable-example-com-v1-backup", ({ request }) => ({
    response:
      request.object.spec.schedule === undefined
        ? patchResponse([{ op: "add", path: "/spec/schedule", value: "0 3 * * *" }])
        : {},
  }));
  hooks.answers.set("/validate-stable-example-com-v1-backup", ({ request }) => {
    const { object, oldObject } = request;
    if (oldObject === null || object.spec.target === oldObject.spec.target) return {};
    const status = { code: 403, reason: "Forbidden", message: "spec.target: Forbidden: cannot be changed" };
    return { response: { allowed: false, status } };
  });
  const { kubectlCurrent } = clientBinaries();
  const apply = (name: string, target: string, ...args: string[]) =>
    runClient(kubectlCurrent, ["apply", ...args, "-f", "-", "-o", "jsonpath={.spec.schedule}"], {
      kubeconfig: server.kubeconfig,
      home: server.dataDirectory,
      input: JSON.stringify({
        apiVersion: "stable.example.com/v1",
        kind: "Backup",
        metadata: { name, namespace: "default" },
        spec: { target },
      }),
    });
  for (const [name, args] of [
    ["client-side", []],
    ["server-side", ["--server-side"]],
  ] as const) {
    expect(await apply(name, "here", ...args)).toMatchObject({ status: 0, stdout: "0 3 * * *" });
    expect(await apply(name, "here", ...args)).toMatchObject({ status: 0, stdout: "0 3 * * *" });
    const refused = await apply(name, "there", ...args);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("denied the request: spec.target: Forbidden: cannot be changed");
  }
  // No manager owns the default, so an applier may still set it.
  const { body } = await api.get(`${backups}/server-side`);
  expect(JSON.stringify(body.metadata.managedFields)).not.toContain("f:schedule");
});

test("time in webhooks is none of the server's own, and audit events tell what webhooks did", async () => {
  const directory = mkdtempSync(join(tmpdir(), "webhook-audit-"));
  const policy = join(directory, "policy.json");
  const log = join(directory, "audit.log");
  writeFileSync(
    policy,
    JSON.stringify({
      apiVersion: "audit.k8s.io/v1",
      kind: "Policy",
      omitStages: ["RequestReceived"],
      rules: [
        { level: "Request", resources: [{ resources: ["configmaps"], resourceNames: ["told"] }] },
        { level: "Metadata", resources: [{ resources: ["configmaps"] }] },
      ],
    }),
  );
  const audited = await startServerHere({
    args: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`],
  });
  const client = new ApiClient(audited);
  try {
    const hook = (path: string, changes: object = {}) => ({
      name: `${path.slice(1)}.example.com`,
      clientConfig: { url: hooks.url(path), caBundle: hooks.caBundle },
      rules: [configMapRule],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 30,
      ...changes,
    });
    const ignored = { failurePolicy: "Ignore" };
    await client.post(`${group}/mutatingwebhookconfigurations`, {
      metadata: { name: "m" },
      webhooks: [hook("/patches"), hook("/hangs", { ...ignored, timeoutSeconds: 1 })],
    });
    await client.post(`${group}/validatingwebhookconfigurations`, {
      metadata: { name: "v" },
      webhooks: [hook("/annotates"), hook("/breaks", ignored)],
    });
    const patch = [{ op: "add", path: "/data", value: { b: "2" } }];
    hooks.answers.set("/patches", ({ request }) => ({
      response: request.object.data === undefined ? patchResponse(patch) : {},
    }));
    hooks.answers.set("/hangs", () => ({ hang: true }));
    hooks.answers.set("/annotates", () => ({ response: { auditAnnotations: { why: "because" } } }));
    hooks.answers.set("/breaks", () => ({ status: 500 }));
    expect((await client.post(maps, { metadata: { name: "brief" } })).status).toBe(201);
    expect((await client.ask("PUT", `${maps}/told`, { body: { metadata: { name: "told" } } })).status).toBe(
      404,
    );
    await client.post(maps, { metadata: { name: "told" } });
    await client.ask("PUT", `${maps}/told`, { body: { metadata: { name: "told" } } });
    const { text } = await client.ask("GET", "/metrics");
    const lines = (metric: string): string[] =>
      text.split("\n").filter((line: string) => line.startsWith(`${metric}{`));
    const sum = (metric: string): number =>
      lines(`${metric}_sum`)
        .filter((line) => line.includes('verb="POST"') && line.includes('resource="configmaps"'))
        .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
    // Two creations waited a second each.
    const inWebhooks =
      sum("apiserver_request_duration_seconds") - sum("apiserver_request_slo_duration_seconds");
    expect(inWebhooks).toBeGreaterThan(1.9);
    expect(lines("apiserver_admission_webhook_fail_open_count")).toEqual([
      'apiserver_admission_webhook_fail_open_count{name="hangs.example.com",type="admit"} 3',
      'apiserver_admission_webhook_fail_open_count{name="breaks.example.com",type="validating"} 3',
    ]);
    expect(lines("apiserver_admission_webhook_request_total")).toContain(
      'apiserver_admission_webhook_request_total{name="patches.example.com",type="admit",operation="CREATE",code="200",rejected="false"} 2',
    );
    await audited.stop();
    const annotationsOf = (name: string, verb: string) =>
      readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter(
          (event) => event.objectRef?.name === name && event.verb === verb && event.responseStatus.code < 300,
        )
        .map(({ annotations }) => annotations);
    const mutation = (name: string, mutated: boolean) =>
      JSON.stringify({ configuration: "m", webhook: `${name}.example.com`, mutated });
    const told = {
      "mutation.webhook.admission.k8s.io/round_0_index_0": mutation("patches", true),
      "mutation.webhook.admission.k8s.io/round_0_index_1": mutation("hangs", false),
      "failed-open.mutation.webhook.admission.k8s.io/round_0_index_1": "hangs.example.com",
      "failed-open.validating.webhook.admission.k8s.io/round_0_index_1": "breaks.example.com",
      "annotates.example.com/why": "because",
    };
    const patched = JSON.stringify({
      configuration: "m",
      webhook: "patches.example.com",
      patch,
      patchType: "JSONPatch",
    });
    const [updated] = annotationsOf("told", "update");
    expect(updated).toMatchObject(told);
    expect(updated).toMatchObject({ "patch.webhook.admission.k8s.io/round_0_index_0": patched });
    const [brief] = annotationsOf("brief", "create");
    expect(brief ?? {}).not.toHaveProperty(["patch.webhook.admission.k8s.io/round_0_index_0"]);
  } finally {
    await client.close();
    await audited.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
});

test("calls and refusals are counted", async () => {
  const { text } = await api.ask("GET", "/metrics");
  expect(text).toMatch(
    /apiserver_admission_webhook_rejection_count\{name="hook-0\.guard\.example\.com",type="validating",operation="DELETE",error_type="no_error",rejection_code="403"\} 1/,
  );
  expect(text).toMatch(
    /apiserver_admission_webhook_admission_duration_seconds_count\{name="hook-0\.defaults/,
  );
  for (const plugin of [
    'MutatingAdmissionWebhook",type="admit',
    'ValidatingAdmissionWebhook",type="validate',
  ]) {
    for (const rejected of [true, false]) {
      expect(text).toMatch(
        new RegExp(
          `apiserver_admission_controller_admission_duration_seconds_count{name="${plugin}",operation="CREATE",rejected="${rejected}"} \\d`,
        ),
      );
    }
  }
  for (const type of ["admit", "validate"]) {
    for (const quantile of ["0.5", "0.9", "0.99"]) {
      expect(text).toMatch(
        new RegExp(
          `apiserver_admission_step_admission_duration_seconds_summary{type="${type}",operation="CREATE",rejected="false",quantile="${quantile}"} \\d`,
        ),
      );
    }
  }
});
