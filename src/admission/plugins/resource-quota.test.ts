import { expect, test } from "vitest";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer, podWith } from "../testing/test-pods.js";
import { resourceQuota } from "./resource-quota.js";

interface TestQuota {
  readonly hard: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly name?: string;
}

function quota({ hard, used, spec, name = "q" }: TestQuota): object {
  const nothing = Object.fromEntries(Object.keys(hard).map((resource) => [resource, "0"]));
  return {
    metadata: { name, namespace: "ns" },
    spec: { hard, ...spec },
    status: { hard, used: { ...nothing, ...used } },
  };
}

function groundOf(quotas: readonly TestQuota[], configuration?: unknown): PluginGround {
  return new PluginGround(resourceQuota, { known: { resourcequotas: quotas.map(quota) }, configuration });
}

function usedOf(ground: PluginGround, name = "q") {
  return (ground.updated.get(name) as ResourceQuota | undefined)?.status.used; // quotas alone are updated
}

const stated = podOfContainer({
  resources: {
    requests: { cpu: "500m", memory: "1Gi", "ephemeral-storage": "1Gi", "example.com/gpu": "2" },
    limits: { cpu: "1", memory: "2Gi", "example.com/gpu": "2" },
  },
});
const service = (spec: object) => ({
  metadata: { name: "s" },
  spec: { ports: [{ port: 1 }, { port: 2 }], ...spec },
});
const claim = (storage: string) => ({
  metadata: { name: "c" },
  spec: {
    storageClassName: "gold",
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage } },
  },
});
const gold = "gold.storageclass.storage.k8s.io";

test.each<[string, object, Readonly<Record<string, string>>]>([
  ["pods", podWith(), { pods: "1", "count/pods": "1" }],
  [
    "pods",
    stated,
    {
      cpu: "500m",
      "requests.cpu": "500m",
      "limits.cpu": "1",
      memory: "1Gi",
      "requests.memory": "1Gi",
      "limits.memory": "2Gi",
      "ephemeral-storage": "1Gi",
      "requests.ephemeral-storage": "1Gi",
      "requests.example.com/gpu": "2",
    },
  ],
  [
    "pods",
    podWith({
      overhead: { cpu: "100m" },
      containers: ["a", "b"].map((name) => ({ name, image: "i", resources: { requests: { cpu: "1" } } })),
      initContainers: [{ name: "i", image: "i", resources: { requests: { cpu: "3" } } }],
    }),
    { "requests.cpu": "3100m" },
  ],
  ["services", service({}), { services: "1", "count/services": "1", "services.nodeports": "0" }],
  ["services", service({ type: "NodePort" }), { "services.nodeports": "2", "services.loadbalancers": "0" }],
  [
    "services",
    service({ type: "LoadBalancer" }),
    { "services.nodeports": "2", "services.loadbalancers": "1" },
  ],
  [
    "services",
    service({ type: "LoadBalancer", allocateLoadBalancerNodePorts: false }),
    { "services.nodeports": "0", "services.loadbalancers": "1" },
  ],
  [
    "persistentvolumeclaims",
    claim("5Gi"),
    {
      persistentvolumeclaims: "1",
      "requests.storage": "5Gi",
      [`${gold}/persistentvolumeclaims`]: "1",
      [`${gold}/requests.storage`]: "5Gi",
      "bronze.storageclass.storage.k8s.io/requests.storage": "0",
    },
  ],
  ["configmaps", { metadata: { name: "c" } }, { configmaps: "1", "count/configmaps": "1", secrets: "0" }],
  ["deployments", { metadata: { name: "d" }, spec: {} }, { "count/deployments.apps": "1" }],
])("a new object of %s %j takes %j", async (resource, object, used) => {
  const hard = Object.fromEntries(Object.keys(used).map((name) => [name, "100Gi"]));
  const ground = groundOf([{ hard }]);
  expect((await ground.admit({ resource, object })).refusal).toBeUndefined();
  expect(usedOf(ground)).toEqual(used);
});

test.each<[string, TestQuota, string, object, string]>([
  [
    "the number of pods",
    { hard: { pods: "1" }, used: { pods: "1" } },
    "pods",
    podWith(),
    'pods "pod" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
  ],
  [
    "several resources, by name",
    {
      hard: { "requests.memory": "512Mi", "requests.cpu": "1", pods: "9" },
      used: { "requests.cpu": "750m" },
    },
    "pods",
    stated,
    'pods "pod" is forbidden: exceeded quota: q, requested: requests.cpu=500m,requests.memory=1Gi, used: requests.cpu=750m,requests.memory=0, limited: requests.cpu=1,requests.memory=512Mi',
  ],
  [
    "what is not stated",
    { hard: { "limits.memory": "1Gi", "requests.cpu": "1" } },
    "pods",
    podWith(),
    'pods "pod" is forbidden: failed quota: q: must specify limits.memory,requests.cpu',
  ],
  [
    "a quota that was not counted yet",
    { hard: { pods: "1" }, used: { pods: undefined as never } },
    "pods",
    podWith(),
    'pods "pod" is forbidden: status unknown for quota: q, resources: pods',
  ],
  [
    "the number of objects of a group",
    { hard: { "count/deployments.apps": "0" } },
    "deployments",
    { metadata: { name: "d" }, spec: {} },
    'deployments.apps "d" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
  ],
])("refused for %s", async (_what, of, resource, object, refusal) => {
  const ground = groundOf([of]);
  expect(await ground.admit({ resource, object })).toMatchObject({ refusal, code: 403 });
  expect(await ground.admit({ resource, object, dryRun: true })).toMatchObject({ refusal });
});

const affinity = (term: object) => ({
  affinity: {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone", ...term }] },
  },
});
const selecting = (scopeName: string, operator: string, values?: readonly string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, values }] },
});

test.each<[object, object, boolean]>([
  [{ scopes: ["Terminating"] }, podWith({ activeDeadlineSeconds: 5 }), true],
  [{ scopes: ["Terminating"] }, podWith(), false],
  [{ scopes: ["NotTerminating"] }, podWith(), true],
  [{ scopes: ["NotTerminating"] }, podWith({ activeDeadlineSeconds: 5 }), false],
  [{ scopes: ["BestEffort"] }, podWith(), true],
  [{ scopes: ["BestEffort"] }, stated, false],
  [{ scopes: ["NotBestEffort"] }, stated, true],
  [{ scopes: ["NotBestEffort", "Terminating"] }, stated, false],
  [selecting("PriorityClass", "In", ["high"]), podWith({ priorityClassName: "high" }), true],
  [selecting("PriorityClass", "In", ["high"]), podWith({ priorityClassName: "low" }), false],
  [selecting("PriorityClass", "NotIn", ["high"]), podWith(), true],
  [selecting("PriorityClass", "Exists"), podWith(), false],
  [selecting("PriorityClass", "Exists"), podWith({ priorityClassName: "low" }), true],
  [selecting("PriorityClass", "DoesNotExist"), podWith(), true],
  [selecting("CrossNamespacePodAffinity", "Exists"), podWith(affinity({ namespaces: ["other"] })), true],
  [selecting("CrossNamespacePodAffinity", "Exists"), podWith(affinity({ namespaceSelector: {} })), true],
  [selecting("CrossNamespacePodAffinity", "Exists"), podWith(affinity({})), false],
])("a quota with %j counts %j: %s", async (spec, object, counts) => {
  const ground = groundOf([{ hard: { pods: "0" }, spec }]);
  const { refusal } = await ground.admit({ resource: "pods", object });
  expect(refusal !== undefined).toBe(counts);
});

test("quotas with scopes count pods alone", async () => {
  const ground = groundOf([{ hard: { configmaps: "0" }, spec: { scopes: ["NotTerminating"] } }]);
  const object = { metadata: { name: "c" } };
  expect((await ground.admit({ resource: "configmaps", object })).refusal).toBeUndefined();
});

test("an update takes what it adds", async () => {
  const ground = groundOf([{ hard: { "requests.storage": "10Gi" }, used: { "requests.storage": "5Gi" } }]);
  const resource = "persistentvolumeclaims";
  await ground.admit({ resource, object: claim("7Gi"), old: claim("5Gi") });
  expect(usedOf(ground)).toEqual({ "requests.storage": "7Gi" });
  const { refusal } = await ground.admit({ resource, object: claim("9Gi"), old: claim("5Gi") });
  expect(refusal).toContain("requested: requests.storage=4Gi, used: requests.storage=7Gi, limited: ");
  // The delete may fail; the controller lowers the use afterwards.
  await ground.admit({ resource, object: claim("1Gi"), old: claim("5Gi") });
  expect(usedOf(ground)).toEqual({ "requests.storage": "7Gi" });
});

test("a type of a service that needs node ports takes them", async () => {
  const ground = groundOf([{ hard: { services: "1", "services.nodeports": "1" }, used: { services: "1" } }]);
  const { refusal } = await ground.admit({
    resource: "services",
    object: service({ type: "NodePort" }),
    old: service({}),
  });
  expect(refusal).toBe(
    'services "s" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
  );
});

test("of many at a time as many are admitted as there is room for, by every quota", async () => {
  const ground = groundOf([
    { name: "a", hard: { pods: "20" } },
    { name: "b", hard: { "count/pods": "7" } },
  ]);
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      ground.admit({ resource: "pods", object: podWith({}, { name: `p${index}` }) }),
    ),
  );
  expect(outcomes.filter(({ refusal }) => refusal === undefined)).toHaveLength(7);
  expect(usedOf(ground, "a")).toEqual({ pods: "7" });
  expect(usedOf(ground, "b")).toEqual({ "count/pods": "7" });
});

test.each<[string, string, object]>([
  ["subresources", "pods/status", podWith()],
  ["events", "events", { metadata: { name: "e" }, involvedObject: {} }],
])("%s take nothing", async (_what, resource, object) => {
  const ground = groundOf([{ hard: { pods: "0", "count/events": "0" } }]);
  expect((await ground.admit({ resource, object })).refusal).toBeUndefined();
});

test("a dry run takes nothing", async () => {
  const ground = groundOf([{ hard: { pods: "1" } }]);
  await ground.admit({ resource: "pods", object: podWith(), dryRun: true });
  expect(usedOf(ground)).toBeUndefined();
});

test("what no quota covers is refused to writes that take of it", async () => {
  const ground = groundOf([], {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "ResourceQuotaConfiguration",
    limitedResources: [{ resource: "services", matchContains: ["services.loadbalancers"] }],
  });
  const balanced = service({ type: "LoadBalancer" });
  const plain = service({});
  const refusalOf = async (object: object, old?: object) =>
    (await ground.admit({ resource: "services", object, ...(old && { old }) })).refusal;
  expect(await refusalOf(plain)).toBeUndefined();
  expect(await refusalOf(balanced, balanced)).toBeUndefined();
  expect(await refusalOf(plain, balanced)).toBeUndefined();
  expect(await refusalOf(balanced, plain)).toContain("insufficient quota to consume: services.loadbalancers");
});

const limitedClaims = (head: object) => ({
  ...head,
  limitedResources: [{ resource: "persistentvolumeclaims", matchContains: ["gold.storageclass"] }],
});

test.each([
  [limitedClaims({ apiVersion: "apiserver.config.k8s.io/v1", kind: "ResourceQuotaConfiguration" })],
  [limitedClaims({ apiVersion: "resourcequota.admission.k8s.io/v1beta1", kind: "Configuration" })],
  [limitedClaims({ apiVersion: "resourcequota.admission.k8s.io/v1alpha1", kind: "Configuration" })],
])("%j limits what no quota covers", async (configuration) => {
  const resource = "persistentvolumeclaims";
  expect(await groundOf([], configuration).admit({ resource, object: claim("1Gi") })).toMatchObject({
    refusal: `persistentvolumeclaims "c" is forbidden: insufficient quota to consume: ${gold}/persistentvolumeclaims,${gold}/requests.storage`,
  });
  const covering = [
    { hard: { [`${gold}/persistentvolumeclaims`]: "1", [`${gold}/requests.storage`]: "1Gi" } },
  ];
  const { refusal } = await groundOf(covering, configuration).admit({ resource, object: claim("1Gi") });
  expect(refusal).toBeUndefined();
});

test("priority classes may be limited to where a quota names them", async () => {
  const scope = { scopeName: "PriorityClass", operator: "In", values: ["a", "b"] };
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "ResourceQuotaConfiguration",
    limitedResources: [{ resource: "pods", matchScopes: [scope] }],
  };
  const object = podWith({ priorityClassName: "a" });
  expect(await groundOf([], configuration).admit({ resource: "pods", object })).toMatchObject({
    refusal: "insufficient quota to match these scopes: [{PriorityClass In [a b]}]",
    code: 403,
  });
  const covering = [{ hard: { pods: "1" }, spec: { scopeSelector: { matchExpressions: [scope] } } }];
  expect(
    (await groundOf(covering, configuration).admit({ resource: "pods", object })).refusal,
  ).toBeUndefined();
  expect(
    (await groundOf([], configuration).admit({ resource: "pods", object: podWith() })).refusal,
  ).toBeUndefined();
});

test.each([
  [{ apiVersion: "v1", kind: "ResourceQuotaConfiguration" }, /want ResourceQuotaConfiguration/],
  [limitedClaims({ apiVersion: "apiserver.config.k8s.io/v1", kind: "Configuration" }), /want Configuration/],
  [
    {
      ...limitedClaims({ apiVersion: "apiserver.config.k8s.io/v1", kind: "ResourceQuotaConfiguration" }),
      limits: 1,
    },
    /limits: unknown field/,
  ],
])("the configuration %j is refused", (configuration, message) => {
  expect(() => groundOf([], configuration)).toThrow(message);
});
