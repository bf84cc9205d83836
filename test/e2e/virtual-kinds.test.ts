import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const binaries = clientBinaries();
const issuer = "https://issuer.example";
const namespace = "/api/v1/namespaces/default";
let home: string;
let server: ServerHere;
let api: ApiClient;
let nobody: ApiClient;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "virtual-"));
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(join(home, "sa.key"), privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(join(home, "sa.pub"), publicKey.export({ type: "spki", format: "pem" }));
  server = await startServerHere({
    args: [
      `--service-account-issuer=${issuer}`,
      "--service-account-issuer=https://older.example",
      `--service-account-signing-key-file=${join(home, "sa.key")}`,
      `--service-account-key-file=${join(home, "sa.pub")}`,
      "--service-account-max-token-expiration=2h",
      "--service-account-jwks-uri=https://keys.example/jwks",
      "--api-audiences=api,other",
    ],
  });
  api = new ApiClient(server);
  nobody = new ApiClient(server, { anonymous: true });
  await accountExists("default");
});

afterAll(async () => {
  await server.dispose();
  rmSync(home, { recursive: true, force: true });
});

/** A controller makes it. */
async function accountExists(name: string): Promise<void> {
  while ((await api.get(`${namespace}/serviceaccounts/${name}`)).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const tokenFor = (account: string, spec: object = {}, extra: object = {}) =>
  api.post(`${namespace}/serviceaccounts/${account}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec,
    ...extra,
  });

const review = async (token: string, audiences?: string[]) =>
  (
    await api.post("/apis/authentication.k8s.io/v1/tokenreviews", {
      spec: { token, ...(audiences !== undefined && { audiences }) },
    })
  ).body.status;

const kubectl = (args: string, input?: string, binary = binaries.kubectl123) =>
  runClient(binary, args.split(" "), {
    kubeconfig: server.kubeconfig,
    home,
    ...(input !== undefined && { input }),
  });

test.each([
  [
    "authorization.k8s.io/v1",
    "selfsubjectaccessreviews",
    { nonResourceAttributes: { path: "/", verb: "get" } },
  ],
  ["authentication.k8s.io/v1", "tokenreviews", { token: "x" }],
])("%s %s tells who wrote its fields, as all that is created", async (apiVersion, resource, spec) => {
  const answer = await api.post(`/apis/${apiVersion}/${resource}?fieldManager=me`, { spec });
  expect(answer.status).toBe(201);
  const [entry, ...others] = answer.body.metadata.managedFields;
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ manager: "me", operation: "Update", apiVersion });
  expect(Object.keys(entry.fieldsV1)).toEqual(["f:spec"]);
});

test("a review of rules answers without the question", async () => {
  const review = { metadata: { name: "x" }, spec: { namespace: "default" } };
  const answer = await api.post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", review);
  expect(answer.body).toMatchObject({ metadata: { creationTimestamp: null }, spec: {} });
  expect(Object.keys(answer.body.metadata)).toEqual(["creationTimestamp"]);
  expect(answer.body.status.resourceRules).not.toEqual([]);
});

test("a token request tells who asked", async () => {
  const path = "/api/v1/namespaces/default/serviceaccounts/default/token?fieldManager=me";
  const answer = await api.post(path, { spec: {} });
  expect(answer.body.metadata.managedFields).toMatchObject([
    { manager: "me", subresource: "token", fieldsV1: { "f:spec": { "f:expirationSeconds": {} } } },
  ]);
});

test("a review of access in another namespace than the path's is refused", async () => {
  const answer = await api.post(
    "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
    {
      metadata: { namespace: "other" },
      spec: { user: "u", resourceAttributes: { namespace: "other", verb: "get", resource: "pods" } },
    },
  );
  expect(answer.body).toMatchObject({
    code: 400,
    message: "spec.resourceAttributes.namespace must match namespace: default",
  });
});

test("a list that is of no version names none", async () => {
  const list = await api.get("/api/v1/componentstatuses");
  expect(list.body.metadata).toEqual({ continue: "" });
});

test("a token request is answered with a token that relying parties can verify", async () => {
  const answer = await tokenFor("default", { audiences: ["vault"], expirationSeconds: 900 });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    spec: { audiences: ["vault"], expirationSeconds: 900 },
  });
  for (const field of ["name", "namespace"]) expect(answer.body.metadata).not.toHaveProperty(field);
  expect(answer.body.metadata.creationTimestamp).toBe(null);
  const metadata = (await api.get("/.well-known/openid-configuration")).body;
  expect(metadata).toEqual({
    issuer,
    jwks_uri: "https://keys.example/jwks",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  });
  const keySet = await api.get("/openid/v1/jwks");
  expect(keySet.headers["content-type"]).toBe("application/jwk-set+json");
  const { payload } = await jwtVerify(answer.body.status.token, createLocalJWKSet(keySet.body), {
    issuer,
    audience: "vault",
    subject: "system:serviceaccount:default:default",
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
  expect(Date.parse(answer.body.status.expirationTimestamp) / 1000).toBeLessThanOrEqual(
    (payload.exp ?? 0) + 1,
  );
  expect(payload["kubernetes.io"]).toMatchObject({
    namespace: "default",
    serviceaccount: { name: "default" },
  });
});

test("a token is its account until the account goes", async () => {
  await api.post(`${namespace}/serviceaccounts`, { metadata: { name: "robot" } });
  const { token } = (await tokenFor("robot")).body.status;
  const asRobot = () =>
    nobody.ask("GET", `${namespace}/pods`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await asRobot()).status).toBe(200);
  expect(await review(token)).toMatchObject({
    authenticated: true,
    audiences: ["api", "other"],
    user: {
      username: "system:serviceaccount:default:robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
    },
  });
  expect(await review(token, ["other", "third"])).toMatchObject({
    authenticated: true,
    audiences: ["other"],
  });
  expect(await review(token, ["third"])).toMatchObject({
    error:
      '[invalid bearer token, token audiences ["api" "other"] is invalid for the target audiences ["third"]]',
  });
  await api.delete(`${namespace}/serviceaccounts/robot`);
  expect((await asRobot()).status).toBe(401);
  await api.post(`${namespace}/serviceaccounts`, { metadata: { name: "robot" } });
  expect((await asRobot()).status).toBe(401);
  expect((await review(token)).error).toMatch(/service account UID \(.+\) does not match claim/);
});

test("a token bound to a pod tells the pod and dies with it; admission's own may live for a year", async () => {
  const spec = { serviceAccountName: "default", containers: [{ name: "c", image: "i" }] };
  const pod = (await api.post(`${namespace}/pods`, { metadata: { name: "holder" }, spec })).body;
  const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "holder" };
  const { token } = (await tokenFor("default", { boundObjectRef, expirationSeconds: 3607 })).body.status;
  const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString("utf8"));
  expect(claims.exp - claims.iat).toBe(365 * 24 * 3600);
  expect(claims["kubernetes.io"].warnafter - claims.iat).toBe(3607);
  expect((await review(token)).user.extra).toEqual({
    "authentication.kubernetes.io/pod-name": ["holder"],
    "authentication.kubernetes.io/pod-uid": [pod.metadata.uid],
  });
  const wrongUid = await tokenFor("default", { boundObjectRef: { ...boundObjectRef, uid: "x" } });
  expect(wrongUid.body).toMatchObject({
    code: 409,
    message:
      'Operation cannot be fulfilled on Pod "holder": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
  });
  expect((await tokenFor("robot", { boundObjectRef })).body).toMatchObject({
    code: 400,
    message:
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
  });
  await api.delete(`${namespace}/pods/holder`, { gracePeriodSeconds: 0 });
  expect(await review(token)).toEqual({
    user: {},
    error: "[invalid bearer token, service account token has been invalidated]",
  });
});

test("token requests that cannot be, and ones that are cut to the longest validity", async () => {
  expect((await tokenFor("default", { expirationSeconds: 599 })).body).toMatchObject({
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
  });
  expect((await tokenFor("missing")).status).toBe(404);
  const ref = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
  expect((await tokenFor("default", { boundObjectRef: ref })).body).toMatchObject({
    code: 400,
    message: "cannot bind token to object of type apps/v1, Kind=Deployment",
  });
  const cut = await tokenFor("default", { expirationSeconds: 10_000 });
  expect(cut.body.spec.expirationSeconds).toBe(7200);
  expect(cut.headers.warning).toBe('299 - "requested expiration of 10000 seconds shortened to 7200 seconds"');
});

test("the path names the account of a token, and the metadata of the request comes back as it is", async () => {
  const metadata = { name: "other", namespace: "elsewhere" };
  const { status, body } = await tokenFor("default", {}, { metadata });
  expect(status).toBe(201);
  expect(body.metadata).toMatchObject({ ...metadata, creationTimestamp: null });
  expect((await review(body.status.token)).user).toMatchObject({
    username: "system:serviceaccount:default:default",
  });
});

test("kubectl create token", async () => {
  const run = await kubectl("create token default --duration 20m", undefined, binaries.kubectlCurrent);
  expect(run.status).toBe(0);
  expect(await review(run.stdout.trim())).toMatchObject({ authenticated: true });
});

test("components: the store by its health, the other parts as they answer", async () => {
  const list = await api.get("/api/v1/componentstatuses");
  expect(list.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
    "controller-manager",
    "etcd-0",
    "scheduler",
  ]);
  expect((await api.get("/api/v1/componentstatuses/etcd-0")).body).toMatchObject({
    kind: "ComponentStatus",
    metadata: { name: "etcd-0" },
    conditions: [{ type: "Healthy", status: "True" }],
  });
  expect((await api.get("/api/v1/componentstatuses/none")).body).toMatchObject({
    code: 500,
    message: "Component not found: none",
  });
  expect((await api.get("/api/v1/componentstatuses/scheduler")).body.conditions).toEqual([
    {
      type: "Healthy",
      status: "False",
      message: 'Get "https://127.0.0.1:10259/healthz": dial tcp 127.0.0.1:10259: connect: connection refused',
    },
  ]);
  expect(list.headers.warning).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  const run = await kubectl("get cs");
  expect(run.stdout).toMatch(/^NAME +STATUS +MESSAGE +ERROR/);
  expect(run.stdout).toMatch(/\netcd-0 +Healthy +\{"health":"true"/);
});

test("a scheduler that answers is healthy", async () => {
  const key = readFileSync(join(server.dataDirectory, "pki/apiserver.key"), "utf8");
  const cert = readFileSync(join(server.dataDirectory, "pki/apiserver.crt"), "utf8");
  let status = 200;
  const scheduler = createServer({ key, cert }, (_request, response) => response.writeHead(status).end("ok"));
  await new Promise<void>((resolve) => scheduler.listen(10259, "127.0.0.1", resolve));
  const condition = async () => (await api.get("/api/v1/componentstatuses/scheduler")).body.conditions[0];
  expect(await condition()).toEqual({ type: "Healthy", status: "True", message: "ok" });
  status = 500;
  expect(await condition()).toMatchObject({ message: "HTTP probe failed with statuscode: 500" });
  scheduler.closeAllConnections();
  await new Promise((resolve) => scheduler.close(resolve));
});

test("kubectl certificate approve and deny", async () => {
  const request = await testSigningRequest({ commonName: "someone" });
  for (const name of ["yes", "no"]) {
    const created = await api.post("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
      metadata: { name },
      spec: {
        request,
        signerName: "kubernetes.io/kube-apiserver-client",
        usages: ["client auth"],
      },
    });
    expect(created.status).toBe(201);
  }
  expect(await kubectl("certificate approve yes")).toMatchObject({ status: 0 });
  expect(await kubectl("certificate deny no")).toMatchObject({ status: 0 });
  const list = await kubectl("get csr");
  expect(list.stdout).toMatch(/\nno .*Denied\n/);
  expect(list.stdout).toMatch(/\nyes .*Approved\n/);
  const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests/yes";
  const conditions = (await api.get(path)).body.status.conditions;
  expect(conditions).toMatchObject([{ type: "Approved", status: "True", reason: "KubectlApprove" }]);
  // Both at once cannot be, and the decision cannot be taken back.
  const both = [...conditions, { type: "Denied", status: "True" }];
  const approval = (await api.get(path)).body;
  approval.status.conditions = both;
  expect((await api.put(`${path}/approval`, approval)).body).toMatchObject({
    code: 422,
    message: expect.stringContaining("Approved and Denied conditions are mutually exclusive"),
  });
  approval.status.conditions = [];
  expect((await api.put(`${path}/approval`, approval)).status).toBe(422);
});

test("ephemeral containers are added by a patch of their own, and by nothing else", async () => {
  const spec = { containers: [{ name: "c", image: "i" }] };
  await api.post(`${namespace}/pods`, { metadata: { name: "sick" }, spec });
  const body = { spec: { ephemeralContainers: [{ name: "doctor", image: "d" }] } };
  const type = { contentType: "application/strategic-merge-patch+json" };
  const added = await api.ask("PATCH", `${namespace}/pods/sick/ephemeralcontainers`, { body, ...type });
  expect(added.status).toBe(200);
  expect(added.body.spec.ephemeralContainers).toMatchObject([{ name: "doctor", image: "d" }]);
  const changed = { spec: { ephemeralContainers: [{ name: "doctor", image: "other" }] } };
  const refused = await api.ask("PATCH", `${namespace}/pods/sick/ephemeralcontainers`, {
    body: changed,
    ...type,
  });
  expect(refused.body).toMatchObject({ code: 422, message: expect.stringContaining("may not be changed") });
  const main = await api.ask("PATCH", `${namespace}/pods/sick`, { body: changed, ...type });
  expect(main.status).toBe(422);
  const debug = await kubectl("debug sick --image=busybox -c nurse");
  expect(debug).toMatchObject({ status: 0 });
  const after = (await api.get(`${namespace}/pods/sick`)).body.spec.ephemeralContainers;
  expect(after.map((each: { name: string }) => each.name)).toEqual(["doctor", "nurse"]);
});

test("a namespace's finalize takes finalizers of the spec away, which lets a terminating one go", async () => {
  await api.post("/api/v1/namespaces", {
    metadata: { name: "held" },
    spec: { finalizers: ["example.com/mine", "kubernetes"] },
  });
  await api.delete("/api/v1/namespaces/held");
  const held = (await api.get("/api/v1/namespaces/held")).body;
  expect(held.status.phase).toBe("Terminating");
  // Without a version: the controller may have written its conditions meanwhile.
  const finalized = await api.put("/api/v1/namespaces/held/finalize", {
    metadata: { name: "held" },
    spec: { finalizers: [] },
  });
  expect(finalized.status).toBe(200);
  while ((await api.get("/api/v1/namespaces/held")).status !== 404) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

describe("eviction", () => {
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  const mergePatch = "application/merge-patch+json";

  /** A pod that runs, ready or not. */
  async function running(name: string, labels: object, ready = true): Promise<void> {
    const spec = { nodeName: "n", containers: [{ name: "c", image: "i" }] };
    await api.post(`${namespace}/pods`, { metadata: { name, labels }, spec });
    const status = { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] };
    await api.ask("PATCH", `${namespace}/pods/${name}/status`, { body: { status }, contentType: mergePatch });
  }

  async function budget(name: string, matchLabels: object, status: object): Promise<void> {
    await api.post(budgets, { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels } } });
    await api.ask("PATCH", `${budgets}/${name}/status`, {
      body: { status: { observedGeneration: 1, ...status } },
      contentType: mergePatch,
    });
  }

  const evict = (name: string, eviction: object) => api.post(`${namespace}/pods/${name}/eviction`, eviction);

  test("the last disruption that a budget allows changes its condition too", async () => {
    await running("last", { app: "last" });
    const before = { type: "DisruptionAllowed", reason: "SufficientPods", message: "enough", status: "True" };
    await budget(
      "last",
      { app: "last" },
      {
        disruptionsAllowed: 1,
        currentHealthy: 2,
        desiredHealthy: 1,
        conditions: [{ ...before, lastTransitionTime: "2020-01-01T00:00:00Z" }],
      },
    );
    const evicted = await evict("last", { metadata: { name: "last" }, deleteOptions: { dryRun: ["All"] } });
    expect(evicted.status).toBe(201);
    expect((await api.get(`${budgets}/last`)).body.status.conditions).toMatchObject([before]);
    expect((await evict("last", { metadata: { name: "last" } })).status).toBe(201);
    const { status } = (await api.get(`${budgets}/last`)).body;
    expect(Object.keys(status.disruptedPods)).toEqual(["last"]);
    expect(status.conditions).toMatchObject([
      { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", observedGeneration: 1 },
    ]);
    expect(status.conditions[0].lastTransitionTime).not.toBe("2020-01-01T00:00:00Z");
  });

  test("evicting a pod that is not ready costs no disruption while enough pods are ready", async () => {
    await running("unready", { app: "unready" }, false);
    await budget(
      "unready",
      { app: "unready" },
      {
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
      },
    );
    expect((await evict("unready", { metadata: { name: "unready" } })).status).toBe(201);
    expect((await api.get(`${budgets}/unready`)).body.status.disruptedPods).toBeUndefined();
  });

  test("several budgets for one pod are an error", async () => {
    await running("double", { app: "double" });
    for (const name of ["double-1", "double-2"]) {
      await budget(name, { app: "double" }, { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1 });
    }
    const refused = await evict("double", { metadata: { name: "double" } });
    expect(refused.status).toBe(500);
    expect(refused.body).toMatchObject({
      status: "Failure",
      code: 500,
      message:
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    });
  });

  test("the body names the pod, and is an eviction of either version", async () => {
    await running("named", {});
    const refusals: readonly [object, string][] = [
      [{}, "name in URL does not match name in Eviction object"],
      [{ metadata: { name: "other" } }, "name in URL does not match name in Eviction object"],
      [
        { apiVersion: "policy/v2", metadata: { name: "named" } },
        'Eviction in version "v2" cannot be handled as a Eviction: no kind "Eviction" is registered for version "policy/v2"',
      ],
    ];
    for (const [body, message] of refusals) {
      expect((await evict("named", body)).body).toMatchObject({ code: 400, message });
    }
    const old = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: "named" } };
    expect((await evict("named", old)).status).toBe(201);
  });
});

test("a binding names its pod, and puts its condition in the place of the scheduler's last", async () => {
  const spec = { containers: [{ name: "c", image: "i" }] };
  await api.post(`${namespace}/pods`, { metadata: { name: "waiting" }, spec });
  const conditions = [
    { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no node" },
    { type: "example.com/gate", status: "True" },
  ];
  await api.ask("PATCH", `${namespace}/pods/waiting/status`, {
    body: { status: { conditions } },
    contentType: "application/merge-patch+json",
  });
  const bind = (metadata: object) =>
    api.post(`${namespace}/pods/waiting/binding`, { metadata, target: { kind: "Node", name: "n" } });
  expect((await bind({})).body).toMatchObject({
    code: 400,
    message: "name in URL does not match name in Binding object",
  });
  expect((await bind({ name: "waiting", uid: "other" })).body).toMatchObject({
    code: 409,
    message: expect.stringContaining("Precondition failed: UID in precondition: other, UID in object meta: "),
  });
  expect((await bind({ name: "waiting" })).status).toBe(201);
  const { status } = (await api.get(`${namespace}/pods/waiting`)).body;
  expect(status.conditions).toMatchObject([{ type: "PodScheduled", status: "True" }, conditions[1]]);
  expect(status.conditions[0].reason).toBeUndefined();
});

test("no binding and no eviction in a namespace that is going away, with a cause that drains look for", async () => {
  await api.post("/api/v1/namespaces", { metadata: { name: "ending" } });
  const spec = { containers: [{ name: "c", image: "i" }] };
  const metadata = { name: "p", finalizers: ["example.com/hold"] };
  await api.post("/api/v1/namespaces/ending/pods", { metadata, spec });
  await api.delete("/api/v1/namespaces/ending");
  const target = { kind: "Node", name: "n" };
  for (const [what, body] of [
    ["binding", { metadata: { name: "p" }, target }],
    ["eviction", { metadata: { name: "p" } }],
  ] as const) {
    const refused = await api.post(`/api/v1/namespaces/ending/pods/p/${what}`, body);
    expect(refused.body).toMatchObject({
      code: 403,
      details: { causes: [{ reason: "NamespaceTerminating" }] },
    });
  }
  const free = { body: { metadata: { finalizers: null } }, contentType: "application/merge-patch+json" };
  await api.ask("PATCH", "/api/v1/namespaces/ending/pods/p", free);
});

test("bindings that say nothing of a node, or of something else, are refused", async () => {
  await api.post(`${namespace}/pods`, {
    metadata: { name: "loose" },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  const bind = (target: object) =>
    api.post(`${namespace}/pods/loose/binding`, { metadata: { name: "loose" }, target });
  expect((await bind({ kind: "Pod", name: "" })).body).toMatchObject({
    code: 422,
    message:
      'Binding "loose" is invalid: [target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
  });
  expect((await bind({ kind: "Node", name: "n" })).status).toBe(201);
  expect((await bind({ kind: "Node", name: "m" })).body).toMatchObject({
    code: 409,
    message:
      'Operation cannot be fulfilled on pods/binding "loose": pod loose is already assigned to node "n"',
  });
});
