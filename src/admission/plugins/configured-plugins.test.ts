import { describe, expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer, podWith } from "../testing/test-pods.js";
import { eventRateLimit } from "./event-rate-limit.js";
import { persistentVolumeLabel } from "./persistent-volume-label.js";
import { podNodeSelector } from "./pod-node-selector.js";
import { podTolerationRestriction } from "./pod-toleration-restriction.js";

const namespaceWith = (annotations: object) => ({ metadata: { name: "ns", annotations } });

describe("PodNodeSelector", () => {
  const annotation = "scheduler.alpha.kubernetes.io/node-selector";
  const configuration = {
    podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "env=test", ns: "env=dev,a=b" },
  };

  test.each([
    [namespaceWith({ [annotation]: "env=dev" }), { a: "b" }, { env: "dev", a: "b" }, undefined],
    [
      namespaceWith({ [annotation]: "env=dev" }),
      { env: "prod" },
      undefined,
      "pod node label selector conflicts with its namespace node label selector",
    ],
    [
      namespaceWith({ [annotation]: "env=dev" }),
      { c: "d" },
      undefined,
      "pod node label selector labels conflict with its namespace whitelist",
    ],
    [
      namespaceWith({}),
      undefined,
      undefined,
      "pod node label selector labels conflict with its namespace whitelist",
    ],
    [namespaceWith({ [annotation]: "" }), undefined, undefined, undefined],
  ])("%j and a pod for %j", async (namespace, nodeSelector, expected, problem) => {
    const ground = new PluginGround(podNodeSelector, { known: { namespaces: [namespace] }, configuration });
    const { object, refusal } = await ground.admit({ resource: "pods", object: podWith({ nodeSelector }) });
    expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
    if (expected !== undefined) expect((object as Pod).spec.nodeSelector).toEqual(expected);
  });

  test("a wrong configuration is refused", () => {
    const wrong = { podNodeSelectorPluginConfig: { ns: "env" } };
    expect(() => new PluginGround(podNodeSelector, { configuration: wrong })).toThrow(
      "podNodeSelectorPluginConfig.ns: invalid selector: [env]",
    );
  });
});

describe("PodTolerationRestriction", () => {
  const stem = "scheduler.alpha.kubernetes.io";
  const given = { key: "given", operator: "Exists" };
  const own = { key: "own", operator: "Exists" };
  const noDefaults = { [`${stem}/defaultTolerations`]: "" };
  const conflictWith = (whose: string): string =>
    `pods "pod" is forbidden: pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`;

  test.each([
    [{ [`${stem}/defaultTolerations`]: JSON.stringify([given]) }, [own], [own, given], undefined],
    [
      { ...noDefaults, [`${stem}/tolerationsWhitelist`]: JSON.stringify([given]) },
      [given],
      [given],
      undefined,
    ],
    [
      { ...noDefaults, [`${stem}/tolerationsWhitelist`]: JSON.stringify([given]) },
      [own],
      undefined,
      conflictWith("namespace"),
    ],
    [noDefaults, [{ key: "elsewhere", operator: "Exists" }], undefined, conflictWith("cluster")],
    [{ [`${stem}/defaultTolerations`]: "" }, undefined, undefined, undefined],
    [{}, undefined, [{ key: "cluster", operator: "Exists" }], undefined],
  ])("namespace %j", async (annotations, tolerations, expected, refusal) => {
    const ground = new PluginGround(podTolerationRestriction, {
      known: { namespaces: [namespaceWith(annotations)] },
      configuration: {
        apiVersion: "podtolerationrestriction.admission.k8s.io/v1alpha1",
        kind: "Configuration",
        default: [{ key: "cluster", operator: "Exists" }],
        whitelist: [{ key: "cluster", operator: "Exists" }, given, own],
      },
    });
    const outcome = await ground.admit({ resource: "pods", object: podWith({ tolerations }) });
    expect(outcome.refusal).toBe(refusal);
    if (refusal === undefined) {
      const found = (outcome.object as Pod).spec.tolerations?.map(({ key, operator }) => ({ key, operator }));
      expect(found?.filter(({ key }) => expected?.some((each) => each.key === key))).toEqual(expected);
    }
  });

  test("pods that state what they need tolerate nodes that run short of memory", async () => {
    const object = podOfContainer({ resources: { requests: { memory: "1Mi" } } });
    const ground = new PluginGround(podTolerationRestriction, { known: { namespaces: [namespaceWith({})] } });
    expect((await ground.admit({ resource: "pods", object })).object).toMatchObject({
      spec: {
        tolerations: [
          { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
        ],
      },
    });
  });

  test("an annotation that cannot be read refuses the pod", async () => {
    const namespaces = [namespaceWith({ [`${stem}/defaultTolerations`]: "{" })];
    const ground = new PluginGround(podTolerationRestriction, { known: { namespaces } });
    expect((await ground.admit({ resource: "pods", object: podWith() })).code).toBe(403);
  });
});

describe("EventRateLimit", () => {
  const groundOf = (...limits: readonly object[]) =>
    new PluginGround(eventRateLimit, {
      configuration: {
        apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
        kind: "Configuration",
        limits,
      },
    });
  const event = (name: string, namespace = "ns") => ({
    resource: "events",
    namespace,
    object: {
      metadata: { name: "e", namespace },
      involvedObject: { kind: "Pod", namespace, name, apiVersion: "v1" },
      source: { component: "c" },
    },
  });

  test.each([
    ["Server", event("a"), event("b"), "Too many requests: limit reached on type Server for key "],
    ["Namespace", event("a"), event("b"), "Too many requests: limit reached on type Namespace for key ns"],
    ["Namespace", event("a"), event("a", "other"), undefined],
    ["User", event("a"), event("b"), "Too many requests: limit reached on type User for key user"],
    ["User", event("a"), { ...event("a"), user: { name: "other" } }, undefined],
    [
      "SourceAndObject",
      event("a"),
      event("a"),
      "Too many requests: limit reached on type SourceAndObject for key cPodnsav1",
    ],
    ["SourceAndObject", event("a"), event("b"), undefined],
  ])("%s", async (type, first, second, problem) => {
    const ground = groundOf({ type, qps: 1, burst: 1 });
    expect((await ground.admit(first)).refusal).toBeUndefined();
    const outcome = await ground.admit(second);
    expect(outcome.refusal).toBe(problem);
    expect(outcome.code).toBe(problem && 429);
    ground.now += 1000;
    expect((await ground.admit(second)).refusal).toBeUndefined();
  });

  test("the keys used longest ago are forgotten; dry runs and other kinds are free", async () => {
    const ground = groundOf({ type: "Namespace", qps: 1, burst: 1, cacheSize: 2 });
    const codes: unknown[] = [];
    for (const namespace of ["a", "b", "a", "c", "a", "b"]) {
      codes.push((await ground.admit({ ...event("x", namespace) })).code);
    }
    expect(codes).toEqual([undefined, undefined, 429, undefined, 429, undefined]);
    expect((await ground.admit({ ...event("x", "a"), dryRun: true })).code).toBeUndefined();
    expect(
      (await ground.admit({ resource: "configmaps", object: { metadata: { name: "x" } }, namespace: "a" }))
        .code,
    ).toBeUndefined();
  });

  test.each([
    [undefined, "limits: Invalid value: []: must not be empty"],
    [[{ type: "Node", qps: 1, burst: 1 }], 'limits[0].type: Unsupported value: "Node"'],
    [[{ type: "Server", burst: 1 }], "limits[0].qps: Invalid value: 0: must be positive"],
    [[{ type: "User", qps: 1, burst: 1, cacheSize: -1 }], "limits[0].cacheSize: Invalid value: -1"],
  ])("limits %j are refused", (limits, message) => {
    expect(() => groundOf(...(limits ?? []))).toThrow(message);
  });
});

describe("PersistentVolumeLabel", () => {
  const volume = (spec: object, metadata: object = {}) => ({
    metadata: { name: "v", ...metadata },
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...spec },
  });
  const labels = { "topology.kubernetes.io/zone": "b__a", "topology.kubernetes.io/region": "r" };
  const annotations = { "pv.kubernetes.io/provisioned-by": "ebs" };
  const ebs = { awsElasticBlockStore: { volumeID: "id" } };

  test.each([
    [volume({ hostPath: { path: "/" } }), undefined],
    [volume(ebs, { labels, annotations }), undefined],
    [volume({ awsElasticBlockStore: { volumeID: "placeholder-for-provisioning" } }), undefined],
    [volume(ebs, { labels }), "error querying AWS EBS volume id: unable to build AWS cloud provider for EBS"],
    [
      volume({ gcePersistentDisk: { pdName: "d" } }),
      "error querying GCE PD volume d: unable to build GCE cloud provider for PD",
    ],
  ])("%j", async (object, problem) => {
    const { refusal } = await new PluginGround(persistentVolumeLabel).admit({
      resource: "persistentvolumes",
      object,
    });
    expect(refusal).toBe(problem && `persistentvolumes "v" is forbidden: ${problem}`);
  });

  test("a provisioned volume is tied to its zones", async () => {
    const ground = new PluginGround(persistentVolumeLabel);
    const { object } = await ground.admit({
      resource: "persistentvolumes",
      object: volume(ebs, { labels, annotations }),
    });
    expect(object).toMatchObject({
      spec: {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "topology.kubernetes.io/zone", operator: "In", values: ["a", "b"] },
                  { key: "topology.kubernetes.io/region", operator: "In", values: ["r"] },
                ],
              },
            ],
          },
        },
      },
    });
  });
});
