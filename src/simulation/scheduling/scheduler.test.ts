import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { TestCluster } from "../testing/test-cluster.js";
import { VolumeBinding } from "../volumes/volume-binding.js";
import { Scheduler } from "./scheduler.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new Scheduler(cluster));
});

afterEach(() => ground.stop());

async function addNode(name: string, labels: object = {}, spec: object = {}): Promise<void> {
  await ground.registries.create("nodes", {
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } },
    spec,
    status: { allocatable: { cpu: "4", memory: "8Gi", pods: "10" } },
  });
}

async function addPod(name: string, spec: object = {}, labels: object = { app: "a" }): Promise<void> {
  await ground.registries.create("pods", {
    metadata: { name, namespace: "ns", labels },
    spec: {
      containers: [{ name: "c", image: "i", ...("cpu" in spec ? requests(String(spec.cpu)) : {}) }],
      ...without(spec),
    },
  });
}

const requests = (cpu: string) => ({ resources: { requests: { cpu } } });

function without(spec: object): object {
  const { cpu: _, ...rest } = { cpu: "", ...spec };
  return rest;
}

const pod = (name: string) => ground.find("pods", name);
const nodeOf = async (name: string) => (await pod(name))?.spec.nodeName ?? "";
const reasonOf = async (name: string) =>
  (await pod(name))?.status.conditions?.find(({ type }) => type === "PodScheduled")?.message;

test("pods are spread over the nodes with room", async () => {
  await addNode("one");
  await addNode("two");
  for (let number = 0; number < 4; number++) await addPod(`p${number}`, { cpu: "1" });
  const nodes = async () => (await Promise.all([0, 1, 2, 3].map((number) => nodeOf(`p${number}`)))).sort();
  await expect.poll(nodes).toEqual(["one", "one", "two", "two"]);
});

test("a pod waits for a node with room, says why, and gets one that comes", async () => {
  await addNode("one");
  await addPod("big", { cpu: "5" });
  await expect.poll(() => reasonOf("big")).toBe("0/1 nodes are available: 1 Insufficient cpu.");
  await ground.registries.create("nodes", {
    metadata: { name: "large" },
    status: { allocatable: { cpu: "8", pods: "3" } },
  });
  await expect
    .poll(async () => {
      await ground.clock.advance(1000);
      return await nodeOf("big");
    })
    .toBe("large");
});

test("selectors that cannot be read keep no pod away", async () => {
  await addNode("one");
  const labelSelector = { matchExpressions: [{ key: "a", operator: "In", values: ["no label"] }] };
  const topologyKey = "kubernetes.io/hostname";
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey, labelSelector },
      { topologyKey, labelSelector, namespaceSelector: labelSelector },
    ],
  };
  const spread = { maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule", labelSelector };
  await addPod("placed", { nodeName: "one", affinity: { podAntiAffinity } });
  await addPod("odd", { affinity: { podAntiAffinity }, topologySpreadConstraints: [spread] });
  await addPod("plain");
  await expect.poll(() => nodeOf("odd")).toBe("one");
  await expect.poll(() => nodeOf("plain")).toBe("one");
});

test("without nodes there is nothing to choose from", async () => {
  await addPod("first");
  await expect.poll(() => reasonOf("first")).toBe("no nodes available to schedule pods");
});

test.each([
  [{ nodeSelector: { disk: "ssd" } }, "2 node(s) didn't match Pod's node affinity/selector"],
  [
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["c"] }] }],
          },
        },
      },
    },
    "2 node(s) didn't match Pod's node affinity/selector",
  ],
  [
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "zone", labelSelector: { matchLabels: { app: "none" } } },
          ],
        },
      },
    },
    "2 node(s) didn't match pod affinity rules",
  ],
  [
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "rack",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: { app: "a" } },
        },
      ],
    },
    "2 node(s) didn't match pod topology spread constraints (missing required label)",
  ],
  [
    { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "lost" } }] },
    '2 persistentvolumeclaim "lost" not found',
  ],
])("a pod with %j fits nowhere: %s", async (spec, reason) => {
  await addNode("one", { zone: "a" });
  await addNode("two", { zone: "b" });
  await addPod("p", spec);
  await expect.poll(() => reasonOf("p")).toBe(`0/2 nodes are available: ${reason}.`);
});

test("taints keep pods away that do not tolerate them", async () => {
  const taints = [{ key: "only", value: "gpu", effect: "NoSchedule" }];
  await addNode("one", {}, { taints });
  await addPod("plain");
  await expect
    .poll(() => reasonOf("plain"))
    .toBe("0/1 nodes are available: 1 node(s) had taint {only: gpu}, that the pod didn't tolerate.");
  await addPod("tolerant", { tolerations: [{ key: "only", operator: "Exists" }] });
  await expect.poll(() => nodeOf("tolerant")).toBe("one");
});

test("from 1.34 on, messages do not name the taints, and preemption helps no pod that is too large", async () => {
  await ground.stop();
  ground = new TestCluster("1.34");
  await ground.start((cluster) => new Scheduler(cluster));
  await addNode("one", {}, { taints: [{ key: "only", value: "gpu", effect: "NoSchedule" }] });
  await addNode("two");
  await addPod("big", { cpu: "5" });
  const available = "0/2 nodes are available: ";
  await expect
    .poll(() => reasonOf("big"))
    .toBe(
      `${available}1 Insufficient cpu, 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: ${available}2 Preemption is not helpful for scheduling.`,
    );
});

describe("volumes that wait for a pod", () => {
  const withClaims = (...names: readonly string[]) => ({
    volumes: names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
  });
  const addClaim = (name: string) =>
    ground.registries.create("persistentvolumeclaims", {
      metadata: { name, namespace: "ns" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "local",
        resources: { requests: { storage: "1Gi" } },
      },
    });
  const addVolume = (name: string, node: string) =>
    ground.registries.create("persistentvolumes", {
      metadata: { name },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        storageClassName: "local",
        local: { path: "/data" },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [node] }] },
            ],
          },
        },
      },
    });
  /** After the wait before another attempt. */
  const nodeLaterOf = async (name: string) => {
    await ground.clock.advance(1000);
    return await nodeOf(name);
  };
  const boundVolume = async (name: string) =>
    (await ground.find("persistentvolumeclaims", name))?.spec.volumeName;

  beforeEach(async () => {
    await ground.registries.create("storageclasses", {
      metadata: { name: "local" },
      provisioner: "kubernetes.io/no-provisioner",
      volumeBindingMode: "WaitForFirstConsumer",
    });
    for (const name of ["one", "two", "three"]) await addNode(name);
  });

  test("a pod goes where its volumes are, and two pods do not get the same", async () => {
    await ground.start((cluster) => new VolumeBinding(cluster));
    for (const name of ["a", "b", "c"]) await addClaim(name);
    await addPod("first", withClaims("a", "b"));
    const none = "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.";
    await expect.poll(() => reasonOf("first")).toBe(none);
    await addVolume("v1", "one");
    await addVolume("v2", "two");
    await addVolume("v3", "two");
    await expect.poll(() => nodeLaterOf("first")).toBe("two");
    expect([await boundVolume("a"), await boundVolume("b")].sort()).toEqual(["v2", "v3"]);
    await addPod("second", withClaims("c"));
    await expect.poll(() => nodeLaterOf("second")).toBe("one");
    expect(await boundVolume("c")).toBe("v1");
  });
});

test("pods that keep apart are on different nodes, and keep others away", async () => {
  const apart = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "a" } } },
        ],
      },
    },
  };
  await addNode("one");
  await addNode("two");
  await addPod("x", apart);
  await addPod("y", apart);
  await expect.poll(async () => [await nodeOf("x"), await nodeOf("y")].sort()).toEqual(["one", "two"]);
  await addPod("z", apart);
  await expect
    .poll(() => reasonOf("z"))
    .toBe("0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.");
  await addPod("plain");
  await expect
    .poll(() => reasonOf("plain"))
    .toBe("0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules.");
});

test("the counts of spread pods differ by no more than their constraint allows", async () => {
  await addNode("a1", { zone: "a" });
  await addNode("a2", { zone: "a" });
  await addNode("b1", { zone: "b" });
  const spread = {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { app: "a" } },
      },
    ],
  };
  for (let number = 0; number < 6; number++) await addPod(`p${number}`, spread);
  const inB = async () => {
    const nodes = await Promise.all([0, 1, 2, 3, 4, 5].map((number) => nodeOf(`p${number}`)));
    return nodes.includes("") ? undefined : nodes.filter((name) => name === "b1").length;
  };
  await expect.poll(inB).toBe(3);
});

test.each<[ApiLevel, object | undefined]>([
  ["1.25", undefined],
  [
    "1.26",
    {
      status: "True",
      reason: "PreemptionByScheduler",
      message: "default-scheduler: preempting to accommodate a higher priority pod",
    },
  ],
])("at %s, a pod that makes room says so: %j", async (level, told) => {
  await ground.stop();
  ground = new TestCluster(level);
  await ground.start((cluster) => new Scheduler(cluster));
  await addNode("one");
  await addPod("low", { cpu: "3", priority: 1 });
  await expect.poll(() => nodeOf("low")).toBe("one");
  await addPod("high", { cpu: "3", priority: 10 });
  await expect.poll(async () => (await pod("low"))?.metadata.deletionTimestamp).toBeDefined();
  const condition = (await pod("low"))?.status.conditions?.find(({ type }) => type === "DisruptionTarget");
  expect(condition).toEqual(told && expect.objectContaining(told));
});

test("a more important pod takes the place of the least important ones", async () => {
  await addNode("one");
  await addPod("low", { cpu: "3", priority: 1 });
  await addPod("middle", { cpu: "1", priority: 5 });
  await expect.poll(async () => [await nodeOf("low"), await nodeOf("middle")]).toEqual(["one", "one"]);
  await addPod("high", { cpu: "2", priority: 10 });
  // Its node's agent would remove it.
  await expect.poll(async () => (await pod("low"))?.metadata.deletionTimestamp).toBeDefined();
  await expect.poll(async () => (await pod("high"))?.status.nominatedNodeName).toBe("one");
  await ground.removePod("low");
  await expect
    .poll(async () => {
      await ground.clock.advance(1000);
      return await nodeOf("high");
    })
    .toBe("one");
  expect((await pod("middle"))?.metadata.deletionTimestamp).toBeUndefined();
});

describe("a more important pod takes the place of one that is in its way", () => {
  const ofApp = (topologyKey: string) => ({ topologyKey, labelSelector: { matchLabels: { app: "a" } } });
  const apart = {
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [ofApp("kubernetes.io/hostname")] },
    },
  };
  const spread = {
    topologySpreadConstraints: [
      { ...ofApp("kubernetes.io/hostname"), maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
    ],
  };

  test.each([
    ["the other keeps it away", apart, {}],
    ["it keeps away from the other", {}, apart],
    ["it must be spread", {}, spread],
  ])("%s", async (_, ofLow, ofHigh) => {
    await addNode("one");
    await addPod("low", { priority: 1, ...ofLow });
    await expect.poll(() => nodeOf("low")).toBe("one");
    await addNode("two", {}, { taints: [{ key: "closed", effect: "NoSchedule" }] });
    await addPod("high", { priority: 10, ...ofHigh });
    await expect.poll(async () => (await pod("low"))?.metadata.deletionTimestamp).toBeDefined();
    await ground.removePod("low");
    await expect
      .poll(async () => {
        await ground.clock.advance(1000);
        return await nodeOf("high");
      })
      .toBe("one");
  });

  test("but not if it must be near the other", async () => {
    await addNode("one");
    await addPod("low", { priority: 1, cpu: "3" });
    await expect.poll(() => nodeOf("low")).toBe("one");
    const near = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [ofApp("kubernetes.io/hostname")] },
    };
    await addPod("high", { priority: 10, cpu: "3", affinity: near }, { app: "b" });
    await expect.poll(() => reasonOf("high")).toMatch(/^0\/1 nodes are available: 1 Insufficient cpu\./);
    expect((await pod("low"))?.metadata.deletionTimestamp).toBeUndefined();
  });
});

test("room that is being made for a pod is not taken by a less important one that comes", async () => {
  await addNode("one");
  await addPod("low", { cpu: "3", priority: 1 });
  await expect.poll(() => nodeOf("low")).toBe("one");
  await addPod("high", { cpu: "3", priority: 10 });
  await expect.poll(async () => (await pod("low"))?.metadata.deletionTimestamp).toBeDefined();
  await ground.removePod("low");
  // Its controller replaces it at once, while the other waits for its next attempt.
  await addPod("again", { cpu: "3", priority: 1 });
  await expect.poll(() => reasonOf("again")).toBe("0/1 nodes are available: 1 Insufficient cpu.");
  await addPod("small", { cpu: "1", priority: 1 });
  await expect.poll(() => nodeOf("small")).toBe("one");
  await expect
    .poll(async () => {
      await ground.clock.advance(1000);
      return await nodeOf("high");
    })
    .toBe("one");
  expect(await nodeOf("again")).toBe("");
});

test("a pod for another scheduler is left alone", async () => {
  await addNode("one");
  await addPod("other", { schedulerName: "mine" });
  await addPod("plain");
  await expect.poll(() => nodeOf("plain")).toBe("one");
  expect(await nodeOf("other")).toBe("");
});
