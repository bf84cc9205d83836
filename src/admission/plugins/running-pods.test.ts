import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { PluginGround, type TestWrite } from "../testing/plugin-ground.js";
import { podWith } from "../testing/test-pods.js";
import { nodeDeclaredFeatureValidator } from "./node-declared-feature-validator.js";
import { podResizeValidator } from "./pod-resize-validator.js";

const nodeNamed = (name: string, status: object, labels: object = {}) => ({
  metadata: { name, labels },
  status,
});
const init = "InPlacePodVerticalScalingInitContainers";
const podLevel = "InPlacePodLevelResourcesVerticalScaling";
const guaranteed = "GuaranteedQoSPodCPUResize";
const allocatable = { cpu: "2", memory: "1Gi" };
const nodes = [
  nodeNamed("plain", { allocatable }, { "kubernetes.io/os": "linux" }),
  nodeNamed("able", { allocatable, declaredFeatures: [guaranteed, podLevel, init].sort() }),
  nodeNamed("glass", { allocatable }, { "kubernetes.io/os": "windows" }),
];

const asking = (cpu: string, memory = "1Mi") => ({ resources: { requests: { cpu, memory } } });
const containers = (cpu: string, memory?: string) => ({
  containers: [{ name: "a", image: "a", ...asking(cpu, memory) }],
});
const initContainers = (cpu: string, more: object = {}) => ({
  initContainers: [{ name: "i", image: "i", ...asking(cpu), ...more }],
});

/** A change of a pod on a node, from the first spec to the second. */
function change(
  nodeName: string,
  [before, after]: readonly [object, object],
  qosClass = "Burstable",
): TestWrite {
  const pod = (spec: object, generation: number) => ({
    ...podWith({ nodeName, ...spec }, { generation }),
    status: { qosClass },
  });
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return { resource: "pods/resize", old: pod(before, 1), object: pod(after, isSame ? 1 : 2) };
}

const cpuChange = [containers("1"), containers("1500m")] as const;
const podChange = [asking("1"), asking("2")] as const;
const initChange = [initContainers("1"), initContainers("2")] as const;

function features(level: ApiLevel, gate = true) {
  const gates = { NodeDeclaredFeatures: gate };
  return new PluginGround(nodeDeclaredFeatureValidator, { level, gates, known: { nodes } });
}

const lacking = (names: string) =>
  `pods "pod" is forbidden: pod update requires features ${names} which are not available on node "plain"`;

test.each<[ApiLevel, string, TestWrite, string | undefined]>([
  ["1.35", "the cpu of a guaranteed pod", change("plain", cpuChange, "Guaranteed"), lacking(guaranteed)],
  ["1.36", "the cpu of a guaranteed pod", change("plain", cpuChange, "Guaranteed"), undefined],
  ["1.35", "the cpu of another pod", change("plain", cpuChange), undefined],
  ["1.35", "the resources of a whole pod", change("plain", podChange), lacking(podLevel)],
  ["1.36", "the resources of a whole pod", change("plain", podChange), lacking(podLevel)],
  ["1.35", "an init container", change("plain", initChange), undefined],
  ["1.36", "an init container", change("plain", initChange), lacking(init)],
  [
    "1.36",
    "a sidecar",
    change("plain", [
      initContainers("1", { restartPolicy: "Always" }),
      initContainers("2", { restartPolicy: "Always" }),
    ]),
    undefined,
  ],
  [
    "1.36",
    "both",
    change("plain", [
      { ...asking("1"), ...initContainers("1") },
      { ...asking("2"), ...initContainers("2") },
    ]),
    lacking(`${podLevel}, ${init}`),
  ],
  ["1.36", "nothing", change("plain", [asking("1"), asking("1")]), undefined],
  ["1.36", "a pod without a node", change("", podChange), undefined],
  ["1.36", "the status", { ...change("plain", podChange), resource: "pods/status" }, undefined],
  [
    "1.36",
    "a pod of an unknown node",
    change("gone", podChange),
    'pods "pod" is forbidden: node "gone" not found',
  ],
])("at %s, a change of %s asks the node for its features", async (level, _what, write, refusal) => {
  expect((await features(level).admit(write)).refusal).toBe(refusal);
});

test("a node that declares the features takes the changes; without the gate, every node does", async () => {
  expect((await features("1.35").admit(change("able", cpuChange, "Guaranteed"))).refusal).toBeUndefined();
  expect((await features("1.36").admit(change("able", podChange))).refusal).toBeUndefined();
  expect((await features("1.36").admit(change("able", initChange))).refusal).toBeUndefined();
  expect((await features("1.36", false).admit(change("plain", podChange))).refusal).toBeUndefined();
});

const tooMuch = (what: string) =>
  `pods "pod" is forbidden: node didn't have enough allocatable resources: ${what}`;

test.each<[string, TestWrite, string | undefined, string | undefined]>([
  ["a pod that fits", change("plain", [containers("1"), containers("2")]), undefined, undefined],
  [
    "more than the node has",
    change("plain", [containers("1"), containers("2500m", "2Gi")]),
    tooMuch(
      "cpu, requested: 2500, allocatable: 2000; memory, requested: 2147483648, allocatable: 1073741824",
    ),
    "NodeCapacity",
  ],
  [
    "more than the node has with the pod's overhead",
    change("plain", [containers("1"), { ...containers("2"), overhead: { cpu: "1m" } }]),
    tooMuch("cpu, requested: 2001, allocatable: 2000"),
    "NodeCapacity",
  ],
  [
    "a node of another system",
    change("glass", [containers("1"), containers("2")]),
    'pods "pod" is forbidden: pod resize is only supported on linux nodes, node "glass" is "windows"',
    "UnsupportedPlatform",
  ],
  [
    "an unknown node",
    change("gone", [containers("1"), containers("2")]),
    'pods "pod" is forbidden: node "gone" not found',
    undefined,
  ],
  ["no change", change("plain", [containers("9"), containers("9")]), undefined, undefined],
  ["a pod without a node", change("", [containers("1"), containers("9")]), undefined, undefined],
  [
    "another subresource",
    { ...change("plain", [containers("1"), containers("9")]), resource: "pods" },
    undefined,
    undefined,
  ],
])("a resize to %s", async (_what, write, refusal, cause) => {
  const ground = new PluginGround(podResizeValidator, { level: "1.36", known: { nodes } });
  const outcome = await ground.admit(write);
  expect(outcome.refusal).toBe(refusal);
  expect(outcome.causes[0]?.reason).toBe(cause);
});
