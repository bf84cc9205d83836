import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition, boatVersion } from "../support/boat-definition.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { patchResponse, startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boatsIn = (namespace: string) => `/apis/example.com/v1/namespaces/${namespace}/boats`;
const boats = boatsIn("default");
const mergePatch = "application/merge-patch+json";

let directory: string;
let server: ServerHere;
let api: ApiClient;
let hooks: WebhookServer;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "custom-"));
  const policy = join(directory, "policy.yaml");
  const rules = [{ level: "RequestResponse", resources: [{ group: "example.com" }] }, { level: "None" }];
  writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));
  server = await startServerHere({
    args: [
      "--authorization-mode=RBAC",
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${join(directory, "audit.log")}`,
    ],
  });
  api = new ApiClient(server);
  hooks = await startWebhookServer(["converter.default.svc"]);
  expect(await api.post(definitions, boatDefinition())).toMatchObject({ status: 201 });
  await vi.waitFor(async () => expect((await api.get(boats)).status).toBe(200), 60_000);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
  await hooks.close();
  rmSync(directory, { recursive: true });
});

test("roles decide who may read and scale them", async () => {
  const as = (method: string, path: string, body?: object) =>
    api.ask(method, path, {
      headers: { "impersonate-user": "ann" },
      ...(body !== undefined && { body, contentType: mergePatch }),
    });
  await api.post(boats, boat("guarded"));
  const refused = await as("GET", boats);
  expect(refused.status).toBe(403);
  expect(refused.body.message).toBe(
    'boats.example.com is forbidden: User "ann" cannot list resource "boats" in API group "example.com" in the namespace "default"',
  );
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  await api.post(`${rbac}/roles`, {
    metadata: { name: "sailor" },
    rules: [
      { apiGroups: ["example.com"], resources: ["boats"], verbs: ["get", "list"] },
      { apiGroups: ["example.com"], resources: ["boats/scale"], verbs: ["patch"] },
    ],
  });
  await api.post(`${rbac}/rolebindings`, {
    metadata: { name: "sailors" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "sailor" },
    subjects: [{ kind: "User", name: "ann" }],
  });
  await expect.poll(async () => (await as("GET", boats)).status).toBe(200);
  expect((await as("PATCH", `${boats}/guarded/scale`, { spec: { replicas: 3 } })).status).toBe(200);
  expect((await as("PATCH", `${boats}/guarded/status`, { status: { sails: 3 } })).status).toBe(403);
  expect((await as("PATCH", `${boats}/guarded`, { spec: { sails: 3 } })).status).toBe(403);
});

test("audit events record them", async () => {
  await api.post(boats, boat("audited", { sails: 2 }));
  const events = (): { verb: string; objectRef: object; requestObject?: object }[] =>
    readFileSync(join(directory, "audit.log"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  await expect
    .poll(() =>
      events().find(
        ({ verb, requestObject }) =>
          verb === "create" && JSON.stringify(requestObject ?? {}).includes("audited"),
      ),
    )
    .toMatchObject({
      stage: "ResponseComplete",
      objectRef: { resource: "boats", namespace: "default", apiGroup: "example.com", apiVersion: "v1" },
      requestObject: { kind: "Boat", spec: { sails: 2 } },
      responseObject: { kind: "Boat", spec: { sails: 2 } },
      responseStatus: { code: 201 },
    });
});

test("webhooks change and refuse them", async () => {
  const rules = [
    {
      apiGroups: ["example.com"],
      apiVersions: ["*"],
      operations: ["CREATE", "UPDATE"],
      resources: ["boats"],
    },
  ];
  const hook = (path: string) => ({
    webhooks: [
      {
        name: `${path.slice(1)}.example.com`,
        clientConfig: { url: hooks.url(path), caBundle: hooks.caBundle },
        rules,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  hooks.answers.set("/paint", () => ({
    response: patchResponse([{ op: "add", path: "/spec/colour", value: "blue" }]),
  }));
  hooks.answers.set("/check", ({ request }) => ({
    response:
      request.object.spec.sails > 3
        ? { allowed: false, status: { message: "too many sails" } }
        : { allowed: true },
  }));
  const group = "/apis/admissionregistration.k8s.io/v1";
  await api.post(`${group}/mutatingwebhookconfigurations`, {
    metadata: { name: "paint" },
    ...hook("/paint"),
  });
  await api.post(`${group}/validatingwebhookconfigurations`, {
    metadata: { name: "check" },
    ...hook("/check"),
  });
  await expect
    .poll(async () => (await api.post(`${boats}?dryRun=All`, boat("probe", {}))).body.spec?.colour)
    .toBe("blue");
  const painted = await api.post(boats, boat("painted", { sails: 1 }));
  expect(painted.body.spec).toEqual({ sails: 1, colour: "blue" });
  await expect
    .poll(async () => (await api.post(`${boats}?dryRun=All`, boat("large", { sails: 4 }))).body.message)
    .toBe('admission webhook "check.example.com" denied the request: too many sails');
  expect(hooks.seen.at(-1)?.review.request).toMatchObject({
    kind: { group: "example.com", version: "v1", kind: "Boat" },
    resource: { group: "example.com", version: "v1", resource: "boats" },
    operation: "CREATE",
  });
  await api.delete(`${group}/mutatingwebhookconfigurations/paint`);
  await api.delete(`${group}/validatingwebhookconfigurations/check`);
});

test("owners and what they own go together", async () => {
  const { uid } = (await api.post(boats, boat("owner"))).body.metadata;
  const owners = [
    { apiVersion: "example.com/v1", kind: "Boat", name: "owner", uid, blockOwnerDeletion: true },
  ];
  const owned = await api.post(boats, {
    ...boat("owned"),
    metadata: { name: "owned", ownerReferences: owners },
  });
  const maps = "/api/v1/namespaces/default/configmaps";
  await api.post(maps, { metadata: { name: "owned", ownerReferences: owners } });
  expect(owned.status).toBe(201);
  await api.delete(`${boats}/owner`, { propagationPolicy: "Foreground" });
  for (const path of [`${boats}/owned`, `${maps}/owned`, `${boats}/owner`]) {
    await expect.poll(async () => (await api.get(path)).status).toBe(404);
  }
});

test("a namespace goes when its custom resources are gone", async () => {
  await api.post("/api/v1/namespaces", { metadata: { name: "harbour" } });
  await api.post(boatsIn("harbour"), boat("free"));
  await api.post(boatsIn("harbour"), {
    ...boat("held"),
    metadata: { name: "held", finalizers: ["example.com/hold"] },
  });
  await api.delete("/api/v1/namespaces/harbour");
  await expect.poll(async () => (await api.get(`${boatsIn("harbour")}/free`)).status).toBe(404);
  const conditions = async () => (await api.get("/api/v1/namespaces/harbour")).body.status.conditions;
  await expect.poll(conditions).toMatchObject([
    { type: "NamespaceDeletionDiscoveryFailure", status: "False" },
    { type: "NamespaceDeletionGroupVersionParsingFailure", status: "False" },
    { type: "NamespaceDeletionContentFailure", status: "False", reason: "ContentDeleted" },
    {
      type: "NamespaceContentRemaining",
      status: "True",
      message: expect.stringMatching(
        /^Some resources are remaining: boats\.[\w.]+ has 1 resource instances$/,
      ),
    },
    {
      type: "NamespaceFinalizersRemaining",
      status: "True",
      message:
        "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    },
  ]);
  expect((await api.get("/api/v1/namespaces/harbour")).body.status.phase).toBe("Terminating");
  expect((await api.post(boatsIn("harbour"), boat("late"))).status).toBe(403);
  await api.patch(`${boatsIn("harbour")}/held`, mergePatch, { metadata: { finalizers: null } });
  await expect.poll(async () => (await api.get("/api/v1/namespaces/harbour")).status).toBe(404);
});

test("a conversion webhook behind a service is reached by the service's name", async () => {
  const v2 = { ...boatVersion, name: "v2", storage: false };
  hooks.answers.set("/convert", ({ request }) => ({
    text: JSON.stringify({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      response: {
        uid: request.uid,
        result: { status: "Success" },
        convertedObjects: request.objects.map((object: object) => ({
          ...object,
          apiVersion: request.desiredAPIVersion,
        })),
      },
    }),
  }));
  await api.post("/api/v1/namespaces/default/services", {
    metadata: { name: "converter" },
    spec: { type: "ExternalName", externalName: "localhost" },
  });
  const service = { namespace: "default", name: "converter", path: "/convert", port: hooks.port };
  const definition = boatDefinition({ group: "served.example.com", versions: [boatVersion, v2] });
  const conversion = {
    strategy: "Webhook",
    webhook: { clientConfig: { service, caBundle: hooks.caBundle }, conversionReviewVersions: ["v1"] },
  };
  expect(
    (await api.post(definitions, { ...definition, spec: { ...definition.spec, conversion } })).status,
  ).toBe(201);
  const path = (version: string) => `/apis/served.example.com/${version}/namespaces/default/boats`;
  await expect.poll(async () => (await api.get(path("v1"))).status).toBe(200);
  await api.post(path("v1"), { ...boat("one"), apiVersion: "served.example.com/v1" });
  const read = await api.get(`${path("v2")}/one`);
  expect(read.status, read.text).toBe(200);
  expect(read.body).toMatchObject({ apiVersion: "served.example.com/v2", spec: { colour: "red" } });
});
