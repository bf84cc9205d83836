import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer, podWith } from "../testing/test-pods.js";
import { limitRanger } from "./limit-ranger.js";

function groundOf(...limits: readonly object[]): PluginGround {
  const limitranges = [{ metadata: { name: "l", namespace: "ns" }, spec: { limits } }];
  return new PluginGround(limitRanger, { known: { limitranges } });
}

const resourcesOf = (requests?: object, limits?: object) =>
  podOfContainer({ resources: { requests, limits } });

test("defaults are set and noted", async () => {
  const ground = groundOf({
    type: "Container",
    default: { cpu: "1", memory: "1Gi" },
    defaultRequest: { cpu: "100m", memory: "1Mi" },
  });
  const { object } = await ground.admit({
    resource: "pods",
    object: podWith({
      containers: [{ name: "a", image: "a", resources: { requests: { cpu: "50m" } } }],
      initContainers: [
        { name: "i", image: "i", resources: { requests: { cpu: "1", memory: "2" }, limits: { cpu: "2" } } },
      ],
    }),
  });
  expect(object).toMatchObject({
    metadata: {
      annotations: {
        "kubernetes.io/limit-ranger":
          "LimitRanger plugin set: memory request for container a; cpu, memory limit for container a; memory limit for init container i",
      },
    },
    spec: {
      containers: [
        { resources: { requests: { cpu: "50m", memory: "1Mi" }, limits: { cpu: "1", memory: "1Gi" } } },
      ],
      initContainers: [{ resources: { limits: { cpu: "2", memory: "1Gi" } } }],
    },
  });
});

test.each([
  ["Pod", { min: { cpu: "1" } }, resourcesOf(), "minimum cpu usage per Pod is 1.  No request is specified"],
  [
    "Container",
    { min: { cpu: "1" } },
    resourcesOf({ cpu: "500m" }),
    "minimum cpu usage per Container is 1, but request is 500m",
  ],
  [
    "Container",
    { min: { cpu: "1" } },
    resourcesOf({ cpu: "1" }, { cpu: "900m" }),
    "minimum cpu usage per Container is 1, but limit is 900m",
  ],
  ["Container", { min: { cpu: "1" } }, resourcesOf({ cpu: "1" }), undefined],
  ["Container", { max: { cpu: "1" } }, resourcesOf(), undefined],
  [
    "Container",
    { max: { cpu: "1" } },
    resourcesOf({}, { cpu: "2" }),
    "maximum cpu usage per Container is 1, but limit is 2",
  ],
  ["Container", { max: { cpu: "1" } }, resourcesOf({ cpu: "1" }, { cpu: "1" }), undefined],
  [
    "Container",
    { maxLimitRequestRatio: { cpu: "2" } },
    resourcesOf({ cpu: "1" }, { cpu: "2500m" }),
    "cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000",
  ],
  ["Container", { maxLimitRequestRatio: { cpu: "2" } }, resourcesOf({ cpu: "1" }, { cpu: "2" }), undefined],
  [
    "Container",
    { maxLimitRequestRatio: { cpu: "2" } },
    resourcesOf({}, {}),
    "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
  ],
  [
    "Pod",
    { min: { cpu: "1", memory: "1Mi" } },
    resourcesOf(),
    "[minimum cpu usage per Pod is 1.  No request is specified, minimum memory usage per Pod is 1Mi.  No request is specified]",
  ],
  [
    "Pod",
    { max: { memory: "1Gi" } },
    podWith({
      containers: ["a", "b"].map((name) => ({
        name,
        image: "i",
        resources: { limits: { memory: "600Mi" } },
      })),
    }),
    "maximum memory usage per Pod is 1Gi, but limit is 1200Mi",
  ],
  [
    "Pod",
    { max: { memory: "1Gi" } },
    podWith({
      containers: [{ name: "a", image: "i", resources: { limits: { memory: "1Mi" } } }],
      initContainers: [{ name: "b", image: "i", resources: { limits: { memory: "2Gi" } } }],
    }),
    "maximum memory usage per Pod is 1Gi, but limit is 2Gi",
  ],
  [
    "Pod",
    { max: { memory: "1Gi" } },
    podWith({
      containers: [
        { name: "a", image: "i", resources: { limits: { memory: "1Mi" } } },
        { name: "b", image: "i" },
      ],
    }),
    "maximum memory usage per Pod is 1Gi.  No limit is specified",
  ],
])("%s limits %j", async (type, limit, object, problem) => {
  const { refusal } = await groundOf({ type, ...limit }).admit({ resource: "pods", object });
  expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
});

test.each([
  ["1Gi", {}, undefined],
  ["1Mi", {}, "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi"],
  ["3Gi", {}, "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"],
  ["3Gi", { deletionTimestamp: "2022-01-01T00:00:00Z" }, undefined],
])("a claim of %s with %j", async (storage, metadata, problem) => {
  const claim = {
    metadata: { name: "c", ...metadata },
    spec: { resources: { requests: { storage } } },
  };
  const ground = groundOf({
    type: "PersistentVolumeClaim",
    min: { storage: "1Gi" },
    max: { storage: "2Gi" },
  });
  const { refusal } = await ground.admit({ resource: "persistentvolumeclaims", object: claim, old: claim });
  expect(refusal).toBe(problem && `persistentvolumeclaims "c" is forbidden: ${problem}`);
});

test("limits of other namespaces, updates of pods and subresources do not count", async () => {
  const ground = groundOf({ type: "Container", min: { cpu: "1" }, defaultRequest: { memory: "1" } });
  const object = podWith();
  for (const write of [
    { resource: "pods", object, namespace: "other" },
    { resource: "pods", object, old: object },
    { resource: "pods/status", object, old: object },
  ]) {
    const outcome = await ground.admit(write);
    expect(outcome.refusal).toBeUndefined();
    expect(outcome.object?.metadata.annotations).toBeUndefined();
  }
});

test("defaults for the containers of a pod are bounded", async () => {
  const amounts = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a.b/r${i}`, "1"]));
  const ground = groundOf({ type: "Container", default: amounts });
  const containers = Array.from({ length: 21 }, (_, i) => ({ name: `c${i}`, image: "i" }));
  const admit = (count: number) =>
    ground.admit({ resource: "pods", object: podWith({ containers: containers.slice(0, count) }) });
  expect((await admit(21)).refusal).toMatch(/^Request entity too large: the defaults of a limit range/);
  const { object, refusal } = await admit(10);
  expect(refusal).toBeUndefined();
  expect(JSON.stringify(object)).toContain('"a.b/r999":"1"');
});

test("thousands of limits are compared with thousands of containers, and as many problems told as an answer names", async () => {
  const ratios = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`a.b/r${i}`, "1"]));
  const containers = Array.from({ length: 5000 }, (_, i) => ({ name: `c${i}`, image: "i" }));
  const ground = groundOf({ type: "Container", maxLimitRequestRatio: ratios });
  const { refusal } = await ground.admit({ resource: "pods", object: podWith({ containers }) });
  expect(refusal?.split(", a.b/")).toHaveLength(1000);
});

test("problems come in the order of the containers, each once", async () => {
  const container = (requests: Record<string, string>, limits: Record<string, string> = {}) => ({
    name: "c",
    image: "i",
    resources: { requests, limits },
  });
  const containers = [
    container({ cpu: "1" }, { cpu: "3", memory: "1Mi" }),
    container({ cpu: "1", memory: "1Mi" }, { cpu: "1", memory: "3Mi" }),
    container({ memory: "1Mi" }, { memory: "1Mi" }),
    container({}, { memory: "1Mi" }),
    container({ cpu: "1" }, { cpu: "4" }),
  ];
  const ground = groundOf({ type: "Container", maxLimitRequestRatio: { cpu: "2", memory: "2" } });
  const { refusal } = await ground.admit({ resource: "pods", object: podWith({ containers }) });
  expect(refusal).toBe(
    `pods "pod" is forbidden: [${[
      "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
      "memory max limit to request ratio per Container is 2, but provided ratio is 3.000000",
      "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
      "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000",
      "memory max limit to request ratio per Container is 2, but no request is specified or request is 0",
    ].join(", ")}]`,
  );
});

describe("by level", () => {
  const needing = (name: string, cpu: string, more: object = {}) => ({
    name,
    image: "i",
    resources: { requests: { cpu }, limits: { cpu } },
    ...more,
  });
  const withSidecars = podWith({
    containers: [needing("a", "1"), { name: "b", image: "i" }],
    initContainers: [
      needing("first", "3"),
      needing("sidecar", "2", { restartPolicy: "Always" }),
      needing("second", "3"),
    ],
  });
  const stating = podWith({
    resources: { requests: { cpu: "1" }, limits: { cpu: "4" } },
    containers: [needing("a", "2")],
  });
  const atLevel = (level: ApiLevel, limit: object) =>
    new PluginGround(limitRanger, {
      level,
      gates: { PodLevelResources: level !== "1.31" },
      known: { limitranges: [{ metadata: { name: "l", namespace: "ns" }, spec: { limits: [limit] } }] },
    });
  const most = "maximum cpu usage per Pod is 1500m, but limit is";

  test.each<[ApiLevel, string, object, string]>([
    ["1.27", "of the largest init container", withSidecars, `${most} 3`],
    ["1.28", "with the sidecars beside it", withSidecars, `${most} 5`],
    ["1.36", "with the sidecars beside it", withSidecars, `${most} 5`],
    ["1.31", "of its containers", stating, `${most} 2`],
    ["1.32", "that it states as a whole", stating, `${most} 4`],
    ["1.36", "that it states as a whole", stating, `${most} 4`],
  ])("at %s, the total of a pod is that %s", async (level, _what, object, problem) => {
    const ground = atLevel(level, { type: "Pod", max: { cpu: "1500m" } });
    const { refusal } = await ground.admit({ resource: "pods", object });
    expect(refusal).toBe(`pods "pod" is forbidden: ${problem}`);
  });

  test.each<[ApiLevel, string | undefined]>([
    ["1.27", "maximum cpu usage per Pod is 9.  No limit is specified"],
    ["1.28", undefined],
  ])("at %s, a limit of one container alone: %j", async (level, problem) => {
    const ground = atLevel(level, { type: "Pod", max: { cpu: "9" } });
    const object = podWith({ containers: [needing("a", "1"), { name: "b", image: "i" }] });
    const { refusal } = await ground.admit({ resource: "pods", object });
    expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
  });

  test.each<[ApiLevel, object, string | undefined]>([
    ["1.31", {}, undefined],
    ["1.32", {}, "maximum cpu usage per Container is 1, but limit is 2"],
    ["1.36", {}, "maximum cpu usage per Container is 1, but limit is 2"],
    ["1.36", { deletionTimestamp: "2022-01-01T00:00:00Z" }, undefined],
  ])("at %s, the resize of a pod with %j: %j", async (level, metadata, problem) => {
    const ground = atLevel(level, { type: "Container", max: { cpu: "1" } });
    const [old, object] = ["1", "2"].map((cpu) => podWith({ containers: [needing("a", cpu)] }, metadata));
    if (old === undefined || object === undefined) throw new Error("no pods");
    const { refusal } = await ground.admit({ resource: "pods/resize", old, object });
    expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
  });

  test("a resize gets defaults, as a new pod does", async () => {
    const ground = atLevel("1.32", { type: "Container", default: { memory: "1Gi" } });
    const pod = podWith({ containers: [needing("a", "1")] });
    const { object } = await ground.admit({ resource: "pods/resize", old: pod, object: pod });
    expect(object).toMatchObject({ spec: { containers: [{ resources: { limits: { memory: "1Gi" } } }] } });
  });
});
