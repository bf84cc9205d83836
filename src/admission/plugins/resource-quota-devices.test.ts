import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { type GroundParts, PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer } from "../testing/test-pods.js";
import { resourceQuota } from "./resource-quota.js";

const byName = "requests.example.com/gpu";
const byClass = "requests.deviceclass.resource.kubernetes.io/gpu";
const devices = "gpu.deviceclass.resource.k8s.io/devices";

const gpus = {
  metadata: { name: "gpu" },
  spec: { extendedResourceName: "example.com/gpu" },
};

function groundOf(level: ApiLevel, known: object, parts: GroundParts = {}): PluginGround {
  const amounts = (amount: string) =>
    Object.fromEntries([byName, byClass, devices].map((name) => [name, amount]));
  const quota = {
    metadata: { name: "q", namespace: "ns" },
    spec: { hard: amounts("50") },
    status: { hard: amounts("50"), used: amounts("0") },
  };
  return new PluginGround(resourceQuota, {
    level,
    known: { resourcequotas: [quota], deviceclasses: [gpus], ...known },
    ...parts,
  });
}

function usedOf(ground: PluginGround) {
  return (ground.updated.get("q") as ResourceQuota | undefined)?.status.used; // quotas alone are updated
}

const claimOf = (counts: readonly number[], metadata: object = {}) => ({
  metadata: { name: "c", creationTimestamp: "2026-01-01T00:00:10Z", ...metadata },
  spec: {
    devices: {
      requests: counts.map((count, index) => ({
        name: `r${index}`,
        exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count },
      })),
    },
  },
});

test.each<[ApiLevel, boolean | undefined, boolean]>([
  ["1.34", true, false],
  ["1.35", undefined, false],
  ["1.35", true, true],
  ["1.36", undefined, true],
  ["1.36", false, false],
])(
  "at %s with DRAExtendedResource %j, claims count as extended resources: %j",
  async (level, gate, counts) => {
    const ground = groundOf(level, {}, { gates: gate === undefined ? {} : { DRAExtendedResource: gate } });
    await ground.admit({ resource: "resourceclaims", object: claimOf([2, 1]) });
    const extended = counts ? "3" : "0";
    expect(usedOf(ground)).toEqual({ [devices]: "3", [byName]: extended, [byClass]: extended });
  },
);

test("devices of a class without an extended resource count by their class only", async () => {
  const ground = groundOf("1.36", { deviceclasses: [{ metadata: { name: "gpu" }, spec: {} }] });
  await ground.admit({ resource: "resourceclaims", object: claimOf([2]) });
  expect(usedOf(ground)).toEqual({ [devices]: "2", [byName]: "0", [byClass]: "0" });
});

test.each<[ApiLevel, string]>([
  ["1.34", "0"],
  ["1.35", "2"],
  ["1.36", "2"],
])("at %s, a pod that asks for devices by their class uses %s", async (level, used) => {
  const resources = { requests: { "deviceclass.resource.kubernetes.io/gpu": "2", "example.com/gpu": "1" } };
  const ground = groundOf(level, {});
  await ground.admit({ resource: "pods", object: podOfContainer({ resources }) });
  expect(usedOf(ground)).toEqual({ [devices]: "0", [byName]: "1", [byClass]: used });
});

const madeFor = (uid: string) => ({
  annotations: { "resource.kubernetes.io/extended-resource-claim": "true" },
  ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "pod", uid, controller: true }],
});
const podAsking = (requests: object, status: object = {}) => {
  const { metadata, ...pod } = podOfContainer({ resources: { requests } }) as { metadata: object };
  return { ...pod, metadata: { ...metadata, namespace: "ns", uid: "u" }, status };
};
const otherClaim = (name: string, creationTimestamp: string) =>
  claimOf([1], { namespace: "ns", name, creationTimestamp, ...madeFor("u") });
const naming = (resourceClaimName: string) => ({
  extendedResourceClaimStatus: { resourceClaimName, requestMappings: [] },
});
const asksByName = { "example.com/gpu": "2" };

test.each<[string, object, readonly [string, string]]>([
  ["its name", { pods: [podAsking(asksByName)] }, ["0", "2"]],
  ["their class", { pods: [podAsking({ "deviceclass.resource.kubernetes.io/gpu": "2" })] }, ["2", "0"]],
  [
    "both",
    { pods: [podAsking({ "deviceclass.resource.kubernetes.io/gpu": "1", "example.com/gpu": "1" })] },
    ["1", "1"],
  ],
  ["its name, and names the claim", { pods: [podAsking(asksByName, naming("c"))] }, ["0", "2"]],
  ["its name, and names another claim", { pods: [podAsking(asksByName, naming("d"))] }, ["2", "2"]],
  [
    "its name, and has an earlier claim",
    { pods: [podAsking(asksByName)], resourceclaims: [otherClaim("z", "2026-01-01T00:00:09Z")] },
    ["2", "2"],
  ],
  [
    "its name, and has another claim of the same second",
    { pods: [podAsking(asksByName)], resourceclaims: [otherClaim("a", "2026-01-01T00:00:10Z")] },
    ["2", "2"],
  ],
  [
    "its name, and has a later claim",
    { pods: [podAsking(asksByName)], resourceclaims: [otherClaim("a", "2026-01-01T00:00:11Z")] },
    ["0", "2"],
  ],
  ["nothing, since it is gone", {}, ["2", "2"]],
])("the claim of a pod that asks by %s is charged for the rest: %j", async (_asked, known, expected) => {
  const ground = groundOf("1.36", known);
  await ground.admit({ resource: "resourceclaims", object: claimOf([2], madeFor("u")) });
  const [name, ofClass] = expected;
  expect(usedOf(ground)).toEqual({ [devices]: "2", [byName]: name, [byClass]: ofClass });
});

test("a claim is charged in full when another pod has the name of its own", async () => {
  const ground = groundOf("1.36", { pods: [podAsking(asksByName)] });
  await ground.admit({ resource: "resourceclaims", object: claimOf([2], madeFor("gone")) });
  expect(usedOf(ground)).toEqual({ [devices]: "2", [byName]: "2", [byClass]: "2" });
});

test("an update of a pod's claim takes only what is new", async () => {
  const ground = groundOf("1.36", { pods: [podAsking(asksByName)] });
  await ground.admit({
    resource: "resourceclaims",
    old: claimOf([2], madeFor("u")),
    object: claimOf([3], madeFor("u")),
  });
  expect(usedOf(ground)).toEqual({ [devices]: "1", [byName]: "1", [byClass]: "1" });
});

test("a claim beyond what the quota leaves for an extended resource is refused", async () => {
  const ground = groundOf("1.36", {});
  const { refusal } = await ground.admit({ resource: "resourceclaims", object: claimOf([51]) });
  expect(refusal).toBe(
    `resourceclaims.resource.k8s.io "c" is forbidden: exceeded quota: q, requested: ${devices}=51,${byClass}=51,${byName}=51, ` +
      `used: ${devices}=0,${byClass}=0,${byName}=0, limited: ${devices}=50,${byClass}=50,${byName}=50`,
  );
});
