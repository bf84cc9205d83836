import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import { QuotaEvaluators } from "../../apis/core/resource-quota/evaluators.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { noDevices } from "../../apis/testing/no-devices.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podWith } from "../testing/test-pods.js";
import { resourceQuota } from "./resource-quota.js";

interface Asked {
  readonly level: ApiLevel;
  readonly hard: readonly string[];
  readonly spec?: object;
  readonly gates?: { readonly [N in FeatureGateName]?: boolean };
}

function groundOf({ level, hard, spec, gates }: Asked): PluginGround {
  const amounts = (amount: string) => Object.fromEntries(hard.map((name) => [name, amount]));
  const quota = {
    metadata: { name: "q", namespace: "ns" },
    spec: { hard: amounts("50"), ...spec },
    status: { hard: amounts("50"), used: amounts("0") },
  };
  return new PluginGround(resourceQuota, {
    level,
    known: { resourcequotas: [quota] },
    ...(gates && { gates }),
  });
}

function usedOf(ground: PluginGround) {
  return (ground.updated.get("q") as ResourceQuota | undefined)?.status.used; // quotas alone are updated
}

const classScope = (operator: string, values: readonly string[] = []) => ({
  scopeSelector: { matchExpressions: [{ scopeName: "VolumeAttributesClass", operator, values }] },
});
const claimOf = (spec: object, status: object = {}) => ({
  metadata: { name: "c" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } }, ...spec },
  status,
});

test.each<[ApiLevel, object, object, boolean]>([
  ["1.33", classScope("Exists"), claimOf({}), false],
  ["1.34", classScope("Exists"), claimOf({}), false],
  ["1.34", classScope("Exists"), claimOf({ volumeAttributesClassName: "gold" }), true],
  ["1.33", classScope("Exists"), claimOf({ volumeAttributesClassName: "gold" }), false],
  ["1.36", classScope("Exists"), claimOf({ volumeAttributesClassName: "gold" }), true],
  ["1.34", classScope("In", ["gold"]), claimOf({ volumeAttributesClassName: "gold" }), true],
  ["1.34", classScope("In", ["tin"]), claimOf({ volumeAttributesClassName: "gold" }), false],
  ["1.34", classScope("NotIn", ["gold"]), claimOf({}), true],
  ["1.34", classScope("DoesNotExist"), claimOf({}), true],
  ["1.34", { scopes: ["BestEffort"] }, claimOf({ volumeAttributesClassName: "gold" }), false],
])("at %s, a quota %j counts the claim %j: %j", async (level, spec, object, isCounted) => {
  const ground = groundOf({ level, hard: ["persistentvolumeclaims"], spec });
  await ground.admit({ resource: "persistentvolumeclaims", object });
  expect(usedOf(ground)).toEqual(isCounted ? { persistentvolumeclaims: "1" } : undefined);
});

test.each<[ApiLevel, object, boolean]>([
  ["1.23", { namespaces: ["other"] }, true],
  ["1.24", { namespaces: ["other"] }, true],
  ["1.24", { namespaceSelector: {} }, true],
  ["1.24", {}, false],
  ["1.36", { namespaces: ["other"] }, true],
  ["1.36", {}, false],
])("at %s, affinity across namespaces is counted for a term with %j: %j", async (level, term, counts) => {
  const scopeSelector = {
    matchExpressions: [{ scopeName: "CrossNamespacePodAffinity", operator: "Exists" }],
  };
  const ground = groundOf({ level, hard: ["pods"], spec: { scopeSelector } });
  const podAffinityTerm = { labelSelector: {}, topologyKey: "zone", ...term };
  const podAntiAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm }],
  };
  await ground.admit({ resource: "pods", object: podWith({ affinity: { podAntiAffinity } }) });
  expect(usedOf(ground)).toEqual(counts ? { pods: "1" } : undefined);
});

test("a claim counts for the class that a change leads to, too, since 1.34", async () => {
  const wanted = claimOf({ volumeAttributesClassName: "gold" });
  const changing = claimOf(
    { volumeAttributesClassName: "gold" },
    { modifyVolumeStatus: { targetVolumeAttributesClassName: "tin", status: "InProgress" } },
  );
  const resource = "persistentvolumeclaims/status";
  const level = "1.34";
  const ground = groundOf({ level, hard: ["persistentvolumeclaims"], spec: classScope("In", ["tin"]) });
  await ground.admit({ resource, object: changing, old: wanted });
  // It was charged to another quota before.
  expect(usedOf(ground)).toEqual({ persistentvolumeclaims: "1" });
});

const devices = "gpu.deviceclass.resource.k8s.io/devices";

test.each<[ApiLevel, readonly string[]]>([
  ["1.33", []],
  ["1.34", ["resourceclaims"]],
  ["1.36", ["resourceclaims"]],
])("at %s, devices are counted by %j", (level, resources) => {
  const evaluators = new QuotaEvaluators(testApiContext({ level }), noDevices);
  expect(evaluators.countedBy(devices).map((counted) => counted.resource)).toEqual(resources);
});

test.each<ApiLevel>(["1.34", "1.36"])(
  "at %s, resource claims use the devices of their classes",
  async (level) => {
    const ground = groundOf({ level, hard: [devices] });
    const requests = [
      { name: "one", exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count: 2 } },
      { name: "all", exactly: { deviceClassName: "other", allocationMode: "All" } },
      {
        name: "either",
        firstAvailable: [
          { name: "a", deviceClassName: "gpu", allocationMode: "ExactCount", count: 1 },
          { name: "b", deviceClassName: "gpu", allocationMode: "All" },
        ],
      },
      { name: "more", exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count: 1 } },
    ];
    const object = { metadata: { name: "c" }, spec: { devices: { requests } } };
    await ground.admit({ resource: "resourceclaims", object });
    expect(usedOf(ground)).toEqual({ [devices]: "35" });
  },
);

test.each<[ApiLevel, string]>([
  ["1.27", "2"],
  ["1.28", "3"],
  ["1.36", "3"],
])("at %s, a pod with a sidecar requests %s", async (level, cpu) => {
  const container = (name: string, amount: string, more: object = {}) => ({
    name,
    image: "i",
    resources: { requests: { cpu: amount } },
    ...more,
  });
  const object = podWith({
    containers: [container("a", "1")],
    initContainers: [container("b", "1", { restartPolicy: "Always" }), container("c", "2")],
  });
  const ground = groundOf({ level, hard: ["requests.cpu"] });
  await ground.admit({ resource: "pods", object });
  expect(usedOf(ground)).toEqual({ "requests.cpu": cpu });
});

test.each<[ApiLevel, string]>([
  ["1.23", "must specify limits.memory,requests.cpu"],
  ["1.24", "must specify limits.memory for: b,c; requests.cpu for: a,b"],
  ["1.36", "must specify limits.memory for: b,c; requests.cpu for: a,b"],
])("what is not stated is told of each container, at %s: %s", async (level, told) => {
  const object = podWith({
    containers: [
      { name: "c", image: "i", resources: { requests: { cpu: "1" } } },
      { name: "a", image: "i", resources: { limits: { memory: "1Gi" } } },
    ],
    initContainers: [{ name: "b", image: "i" }],
  });
  const ground = groundOf({ level, hard: ["limits.memory", "requests.cpu", "pods"] });
  const { refusal } = await ground.admit({ resource: "pods", object });
  expect(refusal).toBe(`pods "pod" is forbidden: failed quota: q: ${told}`);
});

test("containers of a pod that states its needs as a whole need not, since 1.34", async () => {
  const object = podWith({ resources: { requests: { cpu: "1" } } });
  const write = { resource: "pods", object };
  const gates = { PodLevelResources: true };
  const asked = groundOf({ level: "1.34", hard: ["requests.cpu"] });
  await asked.admit(write);
  expect(usedOf(asked)).toEqual({ "requests.cpu": "1" });
  const { refusal } = await groundOf({ level: "1.33", hard: ["requests.cpu"] }).admit(write);
  expect(refusal).toContain("must specify requests.cpu");
  const early = groundOf({ level: "1.33", hard: ["requests.cpu"], gates });
  await early.admit(write);
  expect(usedOf(early)).toEqual({ "requests.cpu": "1" });
});

test.each<[ApiLevel, Record<string, string> | undefined]>([
  ["1.32", undefined],
  ["1.33", { pods: "1" }],
  ["1.36", { pods: "1" }],
])("at %s, a pod that gets a deadline counts as terminating: %j", async (level, used) => {
  const ground = groundOf({ level, hard: ["pods"], spec: { scopes: ["Terminating"] } });
  await ground.admit({
    resource: "pods",
    object: podWith({ activeDeadlineSeconds: 5 }),
    old: podWith({}),
  });
  expect(usedOf(ground)).toEqual(used);
});

test("the status of a claim is charged even beyond what is free", async () => {
  const ground = groundOf({
    level: "1.34",
    hard: ["persistentvolumeclaims", "requests.storage"],
    spec: classScope("In", ["tin"]),
  });
  const large = { resources: { requests: { storage: "60" } } };
  const resource = "persistentvolumeclaims/status";
  const object = claimOf(large, { currentVolumeAttributesClassName: "tin" });
  expect((await ground.admit({ resource, object, old: claimOf(large) })).refusal).toBeUndefined();
  expect(usedOf(ground)).toEqual({ persistentvolumeclaims: "1", "requests.storage": "60" });
});
