import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiAnswer } from "../support/api-client.js";
import {
  applyPatch,
  deployment,
  type GroundHere,
  jsonPatch,
  mergePatch,
  openGroundHere,
  strategicPatch,
} from "../support/fixtures.js";

let ground: GroundHere;
const namespace = "namespaces/default";
const deployments = `/apis/apps/v1/${namespace}/deployments`;
const core = `/api/v1/${namespace}`;
const maps = `${core}/configmaps`;

beforeAll(async () => {
  ground = await openGroundHere();
});

afterAll(async () => {
  await ground.dispose();
});

interface Applying {
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

function apply(path: string, manager: string, body: unknown, options: Applying = {}): Promise<ApiAnswer> {
  const query = new URLSearchParams({ fieldManager: manager });
  if (options.force === true) query.set("force", "true");
  if (options.dryRun === true) query.set("dryRun", "All");
  return ground.api.patch(`${path}?${query}`, applyPatch, named(body, path));
}

/** Configurations name their object, unless a test is about that. */
function named(body: unknown, path: string): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const name = path
    .replace(/\/(status|scale)$/, "")
    .split("/")
    .at(-1);
  const { metadata = {} }: { metadata?: unknown } = body;
  return { ...body, metadata: typeof metadata === "object" ? { name, ...metadata } : metadata };
}

const configMap = (data: object, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata,
  data,
});

/** `manager operation [subresource] version: fields`, in order. */
function ownersOf({ body }: ApiAnswer): string[] {
  return (body.metadata.managedFields ?? []).map(
    (entry: {
      manager: string;
      operation: string;
      subresource?: string;
      apiVersion: string;
      fieldsV1: object;
    }) =>
      `${entry.manager} ${entry.operation} ${entry.subresource === undefined ? "" : `${entry.subresource} `}${entry.apiVersion}: ${fieldsOf(entry.fieldsV1).join(" ")}`,
  );
}

function fieldsOf(fields: object): string[] {
  return Object.entries(fields).flatMap(([step, below]) => {
    if (step === ".") return [];
    const inner = fieldsOf(below);
    const name = step.replace(/^f:/, "");
    return inner.length === 0 ? [name] : inner.map((field) => `${name}.${field}`);
  });
}

describe("apply", () => {
  test("creates, says so, and the same again changes nothing", async () => {
    const first = await apply(`${maps}/new`, "one", configMap({ a: "1" }));
    expect([first.status, first.body.data]).toEqual([201, { a: "1" }]);
    expect(ownersOf(first)).toEqual(["one Apply v1: data.a"]);
    const again = await apply(`${maps}/new`, "one", configMap({ a: "1" }));
    expect([again.status, again.body.metadata]).toEqual([200, first.body.metadata]);
  });

  test("a conflict names managers and fields in Kubernetes' words", async () => {
    await apply(`${maps}/fought`, "one", configMap({ a: "1", b: "1" }));
    const single = await apply(`${maps}/fought`, "two", configMap({ a: "2" }));
    expect(single.body).toMatchObject({
      kind: "Status",
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
      details: {
        causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.a" }],
      },
    });
    const both = await apply(`${maps}/fought`, "two", configMap({ a: "2", b: "2" }));
    expect(both.body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .data.a\n- .data.b',
    );
    await ground.api.ask("PATCH", `${maps}/fought?fieldManager=edit`, {
      body: { data: { c: "1" } },
      contentType: mergePatch,
    });
    const withUpdate = await apply(`${maps}/fought`, "two", configMap({ c: "2" }));
    expect(withUpdate.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "edit" using v1: .data.c',
    );
    const forced = await apply(`${maps}/fought`, "two", configMap({ a: "2", b: "2" }), { force: true });
    expect([forced.status, forced.body.data]).toEqual([200, { a: "2", b: "2", c: "1" }]);
    expect(ownersOf(forced)).toEqual(["two Apply v1: data.a data.b", "edit Update v1: data.c"]);
  });

  test("equal values are shared, and a field goes with its last owner", async () => {
    const path = `${maps}/shared`;
    await apply(path, "one", configMap({ a: "1", b: "1" }));
    const shared = await apply(path, "two", configMap({ a: "1" }));
    expect(shared.status).toBe(200);
    const oneLeft = await apply(path, "one", configMap({ b: "1" }));
    expect(oneLeft.body.data).toEqual({ a: "1", b: "1" });
    const noneLeft = await apply(path, "two", { apiVersion: "v1", kind: "ConfigMap" });
    expect(noneLeft.body.data).toEqual({ b: "1" });
    expect(ownersOf(noneLeft)).toEqual(["one Apply v1: data.b"]);
  });

  test("managers are forgotten by an empty list, or one empty entry, in an update or any patch", async () => {
    const path = `${maps}/forgetful`;
    const body = (managedFields: unknown[]): object => ({ metadata: { name: "forgetful", managedFields } });
    const replaced = (value: unknown[]): object[] => [
      { op: "replace", path: "/metadata/managedFields", value },
    ];
    for (const managedFields of [[], [{}]]) {
      for (const ask of [
        () => ground.api.put(path, body(managedFields)),
        () => ground.api.patch(path, mergePatch, body(managedFields)),
        () => ground.api.patch(path, strategicPatch, body(managedFields)),
        () => ground.api.patch(path, jsonPatch, replaced(managedFields)),
      ]) {
        const applied = await apply(path, "one", configMap({ a: "1" }));
        expect(ownersOf(applied)).toContain("one Apply v1: data.a");
        const answer = await ask();
        expect([answer.status, answer.body.metadata.managedFields], answer.text).toEqual([200, undefined]);
        await ground.api.delete(path);
      }
    }
    const created = await ground.api.post(maps, { ...body([]), data: { a: "1" } });
    expect(ownersOf(created)).toHaveLength(1);
  });

  test("lists come in the order in which they are applied, with the others between", async () => {
    const path = `${core}/serviceaccounts/ordered`;
    const secrets = (names: string): object => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      secrets: [...names].map((name) => ({ name })),
    });
    const order = ({ body }: ApiAnswer): string =>
      body.secrets.map(({ name }: { name: string }) => name).join("");
    expect(order(await apply(path, "one", secrets("abcd")))).toBe("abcd");
    expect(order(await apply(path, "two", secrets("xdb")))).toBe("acxdb");
    expect(order(await apply(path, "one", secrets("dc")))).toBe("xdbc");
  });

  test("lists merge by their keys", async () => {
    const path = `${deployments}/listed`;
    const configuration = (containers: readonly object[]): object => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      spec: {
        selector: { matchLabels: { app: "l" } },
        template: { metadata: { labels: { app: "l" } }, spec: { containers } },
      },
    });
    const first = await apply(path, "one", configuration([{ name: "a", image: "a:1" }]));
    expect(first.status, first.text).toBe(201);
    await apply(path, "two", configuration([{ name: "b", image: "b:1", ports: [{ containerPort: 80 }] }]));
    const names = (answer: ApiAnswer): string[] =>
      answer.body.spec.template.spec.containers.map(({ name }: { name: string }) => name);
    expect(names(await ground.api.get(path))).toEqual(["a", "b"]);
    const conflict = await apply(path, "two", configuration([{ name: "a", image: "a:2" }]));
    expect(conflict.body.details.causes[0].field).toBe('.spec.template.spec.containers[name="a"].image');
    const less = await apply(path, "two", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      spec: { selector: { matchLabels: { app: "l" } } },
    });
    expect(names(less)).toEqual(["a"]);
  });

  test("status has its own managers", async () => {
    const path = `${deployments}/of-status`;
    await ground.api.post(deployments, deployment("of-status"));
    const answer = await apply(
      `${path}/status`,
      "controller",
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        spec: { replicas: 9 },
        status: { replicas: 3, conditions: [{ type: "Available", status: "True" }] },
      },
      { force: true },
    );
    expect(answer.status, answer.text).toBe(200);
    expect([answer.body.spec.replicas, answer.body.status.replicas]).toEqual([2, 3]);
    const owners = ownersOf(answer).filter((owner) => owner.startsWith("controller"));
    expect(owners).toHaveLength(1);
    expect(owners[0]).toMatch(/^controller Apply status apps\/v1: status\.conditions.*status\.replicas$/);
    const less = await apply(`${path}/status`, "controller", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      status: { conditions: [{ type: "Available", status: "True" }] },
    });
    expect(less.body.status.replicas).toBeUndefined();
    const missing = await apply(`${deployments}/nothing/status`, "controller", {
      apiVersion: "apps/v1",
      kind: "Deployment",
    });
    expect(missing.status).toBe(404);
  });

  test("another version of a kind is the same object", async () => {
    const name = "versions";
    const path = (version: string): string =>
      `/apis/autoscaling/${version}/${namespace}/horizontalpodautoscalers/${name}`;
    const spec = { scaleTargetRef: { kind: "Deployment", name: "x", apiVersion: "apps/v1" }, maxReplicas: 5 };
    const kind = "HorizontalPodAutoscaler";
    const first = await apply(path("v1"), "one", {
      apiVersion: "autoscaling/v1",
      kind,
      spec: { ...spec, targetCPUUtilizationPercentage: 50 },
    });
    expect(first.status, first.text).toBe(201);
    const conflict = await apply(path("v2"), "two", {
      apiVersion: "autoscaling/v2",
      kind,
      spec: { ...spec, maxReplicas: 6 },
    });
    expect(conflict.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.maxReplicas',
    );
    const own = await apply(path("v2"), "one", {
      apiVersion: "autoscaling/v2",
      kind,
      spec: {
        ...spec,
        maxReplicas: 7,
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } },
          },
        ],
      },
    });
    expect(own.status, own.text).toBe(200);
    expect((await ground.api.get(path("v1"))).body.spec).toMatchObject({
      maxReplicas: 7,
      targetCPUUtilizationPercentage: 60,
    });
    const cron = (version: string): string => `/apis/batch/${version}/${namespace}/cronjobs/${name}`;
    const job = {
      schedule: "* * * * *",
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } } },
      },
    };
    const beta = await apply(cron("v1beta1"), "one", {
      apiVersion: "batch/v1beta1",
      kind: "CronJob",
      spec: job,
    });
    expect(beta.status, beta.text).toBe(201);
    const stable = await apply(cron("v1"), "one", {
      apiVersion: "batch/v1",
      kind: "CronJob",
      spec: { ...job, schedule: "0 * * * *" },
    });
    expect([stable.status, stable.body.spec.schedule]).toEqual([200, "0 * * * *"]);
    const versions = new Set(ownersOf(stable).map((owner) => owner.split(":", 1)[0]));
    expect([...versions]).toEqual(["one Apply batch/v1"]);
  });

  test.each<[string, object, number, RegExp]>([
    [
      "without a manager",
      configMap({}),
      422,
      /PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch/,
    ],
    ["of another kind", { apiVersion: "v1", kind: "Secret" }, 400, /./],
    [
      "of another version",
      { apiVersion: "v2", kind: "ConfigMap" },
      400,
      /^Incorrect version specified in apply patch. Specified patch version: v2, expected: v1$/,
    ],
    [
      "without a type",
      { data: {} },
      400,
      /^Incorrect version specified in apply patch. Specified patch version: , expected: v1$/,
    ],
    [
      "with managed fields",
      configMap({}, { managedFields: [{ manager: "x" }] }),
      400,
      /metadata.managedFields must be nil/,
    ],
    [
      "with another name",
      configMap({}, { name: "other" }),
      400,
      /^the name of the object \(other\) does not match the name on the URL \(refused\)$/,
    ],
    [
      "without a name",
      configMap({}, { name: undefined }),
      400,
      /^the name of the object \(refused based on URL\) was undeterminable: name must be provided$/,
    ],
    [
      "of another namespace",
      configMap({}, { namespace: "other" }),
      400,
      /^the namespace of the object \(other\) does not match the namespace on the request \(default\)$/,
    ],
    [
      "whose metadata is none",
      { ...configMap({}), metadata: "x" },
      400,
      /\.metadata: expected map, got &\{x\}$/,
    ],
    ["of the wrong shape", configMap({ a: { b: "c" } }), 400, /./],
  ])("a configuration %s is refused", async (what, body, status, message) => {
    const answer = await apply(`${maps}/refused`, what === "without a manager" ? "" : "one", body);
    expect([answer.status, answer.body.kind], answer.text).toEqual([status, "Status"]);
    expect(answer.body.message).toMatch(message);
    expect((await ground.api.get(`${maps}/refused`)).status).toBe(404);
  });

  test("duplicate keys are refused", async () => {
    const answer = await apply(`${deployments}/twice`, "one", {
      ...deployment("twice", {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: {
            containers: [
              { name: "a", image: "a" },
              { name: "a", image: "b" },
            ],
          },
        },
      }),
    });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining('.spec.template.spec.containers: duplicate entries for key [name="a"]'),
    ]);
  });

  test("an item without its key is refused as one with an empty key", async () => {
    const answer = await apply(`${deployments}/keyless`, "one", {
      ...deployment("keyless", {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ image: "a" }] } },
      }),
    });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'Deployment.apps "keyless" is invalid: spec.template.spec.containers[0].name: Required value',
    ]);
  });

  test("duplicate keys that came by another write are kept, or replaced as one", async () => {
    const env = [
      { name: "A", value: "1" },
      { name: "A", value: "2" },
    ];
    const ports = [{ containerPort: 80 }, { containerPort: 80, name: "again" }];
    const written = await ground.api.post(
      deployments,
      deployment("repeats", {
        selector: { matchLabels: { app: "repeats" } },
        template: {
          metadata: { labels: { app: "repeats" } },
          spec: { containers: [{ name: "main", image: "a", env, ports }] },
        },
      }),
    );
    expect([written.status, ownersOf(written)], written.text).toEqual([201, []]);
    const path = `${deployments}/repeats`;
    const config = (container: object): object => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      spec: { template: { spec: { containers: [{ name: "main", ...container }] } } },
    });
    const containerOf = ({ body }: ApiAnswer): { env: object[]; ports: object[] } =>
      body.spec.template.spec.containers[0];

    const other = await apply(path, "one", config({ workingDir: "/" }));
    expect([other.status, containerOf(other).env, containerOf(other).ports.length], other.text).toEqual([
      200,
      env,
      2,
    ]);
    expect((await ground.api.patch(path, mergePatch, { spec: { replicas: 5 } })).status).toBe(200);
    const conflict = await apply(path, "one", config({ env: [{ name: "A", value: "3" }] }));
    expect([conflict.status, conflict.body.message], conflict.text).toEqual([
      409,
      expect.stringContaining('.spec.template.spec.containers[name="main"].env[name="A"]'),
    ]);
    const replaced = await apply(path, "one", config({ env: [{ name: "A", value: "3" }] }), { force: true });
    expect([replaced.status, containerOf(replaced).env], replaced.text).toEqual([
      200,
      [{ name: "A", value: "3" }],
    ]);
  });

  test("a live item without its key is told of", async () => {
    const accounts = `/api/v1/${namespace}/serviceaccounts`;
    const written = await ground.api.post(accounts, { metadata: { name: "nameless" }, secrets: [{}] });
    expect(written.status, written.text).toBe(201);
    const answer = await apply(`${accounts}/nameless`, "one", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      secrets: [{ name: "a" }],
    });
    expect([answer.status, answer.body.message], answer.text).toEqual([
      400,
      expect.stringContaining('omits key field "name"'),
    ]);
  });

  test("a uid that is not the object's is refused", async () => {
    const missing = await apply(`${maps}/of-uid`, "one", configMap({}, { uid: "x" }));
    expect(missing.body).toMatchObject({ code: 409, reason: "Conflict" });
    expect(missing.body.message).toContain(
      "uid mismatch: the provided object specified uid x, and no existing object was found",
    );
    await apply(`${maps}/of-uid`, "one", configMap({}));
    const other = await apply(`${maps}/of-uid`, "one", configMap({}, { uid: "x" }));
    expect(other.body).toMatchObject({
      code: 422,
      message: 'ConfigMap "of-uid" is invalid: metadata.uid: Invalid value: "x": field is immutable',
    });
  });

  test("claim templates say what they are, whoever compares them", async () => {
    const sets = `/apis/apps/v1/${namespace}/statefulsets`;
    const labels = { app: "claims" };
    const template = {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    };
    const set = (volumeClaimTemplates: readonly object[]): object => ({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "claims" },
      spec: {
        serviceName: "claims",
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
        volumeClaimTemplates,
      },
    });
    const created = await ground.api.post(sets, set([{ ...template, kind: "Other", apiVersion: "v7" }]));
    expect(created.status, created.text).toBe(201);
    expect(created.text).toContain(
      '"volumeClaimTemplates":[{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"data"',
    );
    const [stored] = created.body.spec.volumeClaimTemplates;

    const path = `${sets}/claims`;
    const tested = await ground.api.patch(path, jsonPatch, [
      { op: "test", path: "/spec/volumeClaimTemplates/0/kind", value: "PersistentVolumeClaim" },
      { op: "remove", path: "/spec/volumeClaimTemplates/0/kind" },
    ]);
    expect(tested.status, tested.text).toBe(200);
    expect(tested.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);

    // The list is one value: to share it is to say all of it.
    expect((await apply(path, "other", set([stored]))).status).toBe(200);
    const { kind: _, ...unsaid } = stored;
    const conflict = await apply(path, "third", set([unsaid]));
    expect([conflict.status, conflict.body.message], conflict.text).toEqual([
      409,
      expect.stringContaining(".spec.volumeClaimTemplates"),
    ]);
  });

  test("is YAML, and a dry run stores nothing", async () => {
    const answer = await ground.api.ask("PATCH", `${maps}/yaml?fieldManager=one&dryRun=All`, {
      raw: "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: yaml }\ndata:\n  a: '1' # one\n",
      contentType: applyPatch,
    });
    expect([answer.status, answer.body.data]).toEqual([201, { a: "1" }]);
    expect((await ground.api.get(`${maps}/yaml`)).status).toBe(404);
  });
});

describe("managers", () => {
  test("updates, patches and creations are by whoever did them", async () => {
    const path = `${maps}/by`;
    await ground.api.ask("POST", `${maps}?fieldManager=maker`, {
      body: { metadata: { name: "by" }, data: { a: "1", b: "1" } },
    });
    await ground.api.ask("PATCH", `${path}?fieldManager=patcher`, {
      body: [{ op: "replace", path: "/data/a", value: "2" }],
      contentType: jsonPatch,
    });
    const { body } = await ground.api.get(path);
    body.data.c = "1";
    const answer = await ground.api.ask("PUT", `${path}`, {
      body,
      headers: { "user-agent": "some-program/v1 (linux)" },
    });
    expect(ownersOf(answer)).toEqual([
      "maker Update v1: data.b",
      "patcher Update v1: data.a",
      "some-program Update v1: data.c",
    ]);
  });

  test("are forgotten when one empty entry replaces them, and kept when a client leaves them out", async () => {
    const path = `${maps}/forgetful`;
    await ground.api.post(maps, { metadata: { name: "forgetful" }, data: { a: "1" } });
    const kept = await ground.api.put(path, { metadata: { name: "forgetful" }, data: { a: "1" } });
    expect(ownersOf(kept)).toHaveLength(1);
    const cleared = await ground.api.patch(path, mergePatch, { metadata: { managedFields: [{}] } });
    expect([cleared.status, cleared.body.metadata.managedFields]).toEqual([200, undefined]);
    const empty = await ground.api.patch(path, mergePatch, { metadata: { managedFields: [] } });
    expect(empty.status).toBe(200);
    const applied = await apply(path, "one", configMap({ b: "1" }));
    expect(ownersOf(applied)).toEqual([
      "one Apply v1: data.b",
      expect.stringMatching(/^before-first-apply Update v1: data\.a/),
    ]);
  });

  test("what client-side apply set last is taken over without conflict", async () => {
    const annotation = "kubectl.kubernetes.io/last-applied-configuration";
    const last = configMap({ a: "1", b: "1" }, { name: "migrated", namespace: "default", annotations: {} });
    await ground.api.ask("POST", `${maps}?fieldManager=kubectl-client-side-apply`, {
      body: configMap(
        { a: "1", b: "1" },
        { name: "migrated", annotations: { [annotation]: JSON.stringify(last) } },
      ),
    });
    const path = `${maps}/migrated`;
    const stranger = await apply(path, "other", configMap({ a: "2" }));
    expect(stranger.status).toBe(409);
    const own = await apply(path, "kubectl", configMap({ a: "2" }));
    expect(own.status, own.text).toBe(200);
    expect(own.body.data.a).toBe("2");
  });
});
