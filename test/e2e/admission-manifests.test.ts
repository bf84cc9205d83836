import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";
import { patchResponse, startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

/** Webhooks and policies out of files, KEP-5793. */

const gate = new Map<FeatureGateName, boolean>([["ManifestBasedAdmissionControlConfig", true]]);
const group = "/apis/admissionregistration.k8s.io/v1";
const maps = "/api/v1/namespaces/default/configmaps";
const rules = (resource: string, apiGroup = "", operations = ["CREATE"]) => [
  { apiGroups: [apiGroup], apiVersions: ["v1"], operations, resources: [resource] },
];
let home: string;
let hooks: WebhookServer | undefined;
let server: InProcessServer | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "manifests-"));
});
afterEach(async () => {
  await server?.dispose();
  server = undefined;
  await hooks?.close();
  hooks = undefined;
  rmSync(home, { recursive: true, force: true });
});

const apiVersion = "admissionregistration.k8s.io/v1";

/** A validating policy and its binding. */
function policy(name: string, changes: { expression?: string; resource?: string; apiGroup?: string } = {}) {
  const { expression = "!('forbidden' in object.data)", resource = "configmaps", apiGroup = "" } = changes;
  const spec = {
    matchConstraints: { resourceRules: rules(resource, apiGroup, ["CREATE", "DELETE"]) },
    validations: [{ expression, message: `${name} says no` }],
  };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  ];
}

const yaml = (objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join("\n---\n");

/** Writes the files of plugins, and starts a server that reads them. */
async function start(
  files: Readonly<Record<string, readonly object[]>>,
  { level = "1.36", gates = gate }: { level?: ApiLevel; gates?: typeof gate } = {},
) {
  const plugins = Object.entries(files).map(([name, objects]) => {
    mkdirSync(join(home, name));
    writeFileSync(join(home, name, "all.yaml"), yaml(objects));
    const kind = name.endsWith("Webhook") ? "WebhookAdmission" : name;
    const configuration = {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: `${kind}Configuration`,
      staticManifestsDir: join(home, name),
    };
    return { name, configuration };
  });
  const file = join(home, "admission.yaml");
  const configuration = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins };
  writeFileSync(file, JSON.stringify(configuration));
  server = await startInProcess({ apiLevel: level, featureGates: gates, admissionControlConfigFile: file });
  return server.api;
}

const map = (name: string, data: object = {}) => ({ metadata: { name }, data });

test("policies and webhooks of files are in force from the first request on, before those of the API", async () => {
  hooks = await startWebhookServer();
  hooks.answers.set("/mutate", () => ({
    response: patchResponse([{ op: "add", path: "/data/hooked", value: "yes" }]),
  }));
  hooks.answers.set("/validate", ({ request }) => ({
    response: { allowed: request.object?.data?.rude === undefined, status: { message: "be polite" } },
  }));
  const webhook = (kind: string, path: string) => ({
    apiVersion,
    kind,
    metadata: { name: "hooks.static.k8s.io" },
    webhooks: [
      {
        name: "hook.example.com",
        clientConfig: { url: hooks?.url(path), caBundle: hooks?.caBundle },
        rules: rules("configmaps"),
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  const api = await start({
    ValidatingAdmissionPolicy: [{ apiVersion: "v1", kind: "List", items: policy("guard.static.k8s.io") }],
    MutatingAdmissionPolicy: [
      {
        apiVersion,
        kind: "MutatingAdmissionPolicy",
        metadata: { name: "label.static.k8s.io" },
        spec: {
          matchConstraints: { resourceRules: rules("configmaps") },
          reinvocationPolicy: "Never",
          mutations: [
            {
              patchType: "ApplyConfiguration",
              applyConfiguration: {
                expression: "Object{metadata: Object.metadata{labels: {'from': 'file'}}}",
              },
            },
          ],
        },
      },
      {
        apiVersion,
        kind: "MutatingAdmissionPolicyBinding",
        metadata: { name: "label.static.k8s.io" },
        spec: { policyName: "label.static.k8s.io" },
      },
    ],
    MutatingAdmissionWebhook: [webhook("MutatingWebhookConfiguration", "/mutate")],
    ValidatingAdmissionWebhook: [webhook("ValidatingWebhookConfiguration", "/validate")],
  });
  const made = await api.post(maps, map("fine", { a: "1" }));
  expect(made.body).toMatchObject({ metadata: { labels: { from: "file" } }, data: { hooked: "yes" } });
  expect((await api.post(maps, map("a", { forbidden: "1" }))).body.message).toContain(
    "ValidatingAdmissionPolicy 'guard.static.k8s.io' with binding 'guard.static.k8s.io' denied request: guard.static.k8s.io says no",
  );
  expect((await api.post(maps, map("b", { rude: "1" }))).body.message).toContain("be polite");
  // They are no objects of the API.
  expect((await api.get(`${group}/validatingadmissionpolicies`)).body.items).toEqual([]);
  const { text } = await api.get("/metrics");
  expect(text).toMatch(
    /apiserver_manifest_admission_config_controller_last_config_info\{plugin="ValidatingAdmissionPolicy",apiserver_id_hash="sha256:\w+",hash="sha256:\w+"\} 1/,
  );
});

test("policies of files protect policies, which those of the API cannot", async () => {
  const deletes = { expression: "request.operation != 'DELETE'", apiGroup: "admissionregistration.k8s.io" };
  const api = await start({
    ValidatingAdmissionPolicy: policy("keep.static.k8s.io", {
      ...deletes,
      resource: "validatingadmissionpolicies",
    }),
  });
  const [own] = policy("own.example.com");
  expect((await api.post(`${group}/validatingadmissionpolicies`, own ?? {})).status).toBe(201);
  const refused = await api.delete(`${group}/validatingadmissionpolicies/own.example.com`);
  expect(refused.body.message).toContain("keep.static.k8s.io says no");
});

test("a change of the files is taken over, unless something is wrong with it", async () => {
  const api = await start({ ValidatingAdmissionPolicy: policy("guard.static.k8s.io") });
  const file = join(home, "ValidatingAdmissionPolicy", "all.yaml");
  const refused = async () => (await api.post(`${maps}?dryRun=All`, map("a", { other: "1" }))).status === 422;
  expect(await refused()).toBe(false);
  writeFileSync(file, yaml(policy("guard.static.k8s.io", { expression: "!('other' in object.data)" })));
  await expect.poll(refused).toBe(true);
  writeFileSync(file, yaml(policy("guard.example.com")));
  const failures = async () =>
    /automatic_reloads_total\{status="failure",plugin="ValidatingAdmissionPolicy",.*\} (\d+)/.exec(
      (await api.get("/metrics")).text,
    )?.[1];
  await expect.poll(failures).toBe("1");
  expect(await refused()).toBe(true);
  rmSync(file);
  await expect.poll(refused).toBe(false);
});

const [own = {}, binding = {}] = policy("a.static.k8s.io");

test.each<[string, readonly object[], RegExp]>([
  ["another name", policy("guard.example.com"), /must have a name ending with "\.static\.k8s\.io"/],
  ["a name twice", [own, own, binding], /duplicate name "a\.static\.k8s\.io" found/],
  ["a binding alone", [binding], /references policy "a\.static\.k8s\.io" which does not exist/],
  [
    "a bad expression",
    policy("a.static.k8s.io", { expression: "1 +" }),
    /spec\.validations\[0\]\.expression: Invalid/,
  ],
  ["an unknown field", [{ ...own, sepc: {} }], /unknown field "sepc"/],
  ["another kind", [map("a")], /unsupported resource type/],
])("a server does not start with %s in a file", async (_what, objects, expected) => {
  await expect(start({ ValidatingAdmissionPolicy: objects })).rejects.toThrow(expected);
});

test("a server does not start with webhooks of services in files", async () => {
  const service = { namespace: "default", name: "guard" };
  const webhooks = [
    {
      name: "hook.example.com",
      clientConfig: { service },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    },
  ];
  const object = {
    apiVersion,
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "a.static.k8s.io" },
    webhooks,
  };
  await expect(start({ ValidatingAdmissionWebhook: [object] })).rejects.toThrow(
    /clientConfig\.service is not supported for static manifests/,
  );
});

test.each<[ApiLevel, string, typeof gate, RegExp]>([
  ["1.35", "ValidatingAdmissionPolicy", new Map(), /takes no configuration/],
  [
    "1.35",
    "ValidatingAdmissionWebhook",
    new Map(),
    /requires the ManifestBasedAdmissionControlConfig feature gate/,
  ],
  [
    "1.36",
    "ValidatingAdmissionPolicy",
    new Map(),
    /requires the ManifestBasedAdmissionControlConfig feature gate/,
  ],
])("at %s without the gate, %s takes no files", async (level, plugin, gates, expected) => {
  await expect(start({ [plugin]: [] }, { level, gates })).rejects.toThrow(expected);
});

test("names of files are not for objects of the API", async () => {
  const api = await start({});
  const [object = {}] = policy("guard.static.k8s.io");
  const { status, body } = await api.post(`${group}/validatingadmissionpolicies`, object);
  expect([status, body.details.causes[0].field]).toEqual([422, "metadata.name"]);
  await server?.dispose();
  server = await startInProcess({ apiLevel: "1.36" });
  const warned = await server.api.post(`${group}/validatingadmissionpolicies`, object);
  expect([warned.status, warned.headers.warning]).toEqual([
    201,
    expect.stringContaining("are reserved for static"),
  ]);
});
