import { describe, expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer, podWith } from "../testing/test-pods.js";
import { alwaysAdmit, alwaysDeny } from "./always.js";
import { alwaysPullImages } from "./always-pull-images.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { extendedResourceToleration } from "./extended-resource-toleration.js";
import { limitPodHardAntiAffinityTopology } from "./limit-pod-hard-anti-affinity-topology.js";
import { securityContextDeny } from "./security-context-deny.js";

async function podAfter(ground: PluginGround, write: Parameters<PluginGround["admit"]>[0]): Promise<Pod> {
  const { object, refusal } = await ground.admit(write);
  expect(refusal).toBeUndefined();
  return object as Pod;
}

test("AlwaysAdmit admits, AlwaysDeny denies", async () => {
  const write = { resource: "pods", object: podWith() };
  expect((await new PluginGround(alwaysAdmit).admit(write)).refusal).toBeUndefined();
  for (const each of [write, { resource: "nodes", old: { metadata: { name: "n" } } }]) {
    expect((await new PluginGround(alwaysDeny).admit(each)).refusal).toContain(
      "is forbidden: admission control is denying all modifications",
    );
  }
});

describe("AlwaysPullImages", () => {
  const object = podOfContainer({ imagePullPolicy: "Never" });
  const imagesOf = ({ spec }: Pod) => spec.containers?.map(({ imagePullPolicy }) => imagePullPolicy);

  test.each([
    ["a new pod", { resource: "pods", object }, ["Always"]],
    [
      "an update with a new image",
      { resource: "pods", object, old: podOfContainer({ image: "b" }) },
      ["Always"],
    ],
    ["an update without", { resource: "pods", object, old: object }, ["Never"]],
    ["a status", { resource: "pods/status", object, old: podOfContainer({ image: "b" }) }, ["Never"]],
  ])("%s", async (_what, write, policies) => {
    expect(imagesOf(await podAfter(new PluginGround(alwaysPullImages), write))).toEqual(policies);
  });

  test("volumes of images are pulled, too", async () => {
    const image = { reference: "a", pullPolicy: "Never" };
    const write = { resource: "pods", object: podWith({ volumes: [{ name: "v", image }] }) };
    const { spec } = await podAfter(new PluginGround(alwaysPullImages, { level: "1.31" }), write);
    expect(spec.volumes).toMatchObject([{ image: { pullPolicy: "Always" } }]);
    const unchanged = () => ({ ...alwaysPullImages(), mutate: () => undefined });
    expect((await new PluginGround(unchanged, { level: "1.31" }).admit(write)).refusal).toContain(
      'spec.volumes[0].image.pullPolicy: Unsupported value: "Never": supported values: "Always"',
    );
  });

  test("what a webhook changed back is refused", async () => {
    const ground = new PluginGround(() => ({ ...alwaysPullImages(), mutate: () => undefined }));
    expect((await ground.admit({ resource: "pods", object })).refusal).toBe(
      'pods "pod" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
    );
  });
});

describe("DefaultTolerationSeconds", () => {
  const notReady = {
    key: "node.kubernetes.io/not-ready",
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  };
  const unreachable = { ...notReady, key: "node.kubernetes.io/unreachable" };
  const own = { ...notReady, tolerationSeconds: 5 };

  test.each([
    ["none", undefined, [notReady, unreachable]],
    ["its own", [own], [own, unreachable]],
    ["one for every taint", [{ operator: "Exists" }], [{ operator: "Exists" }]],
    [
      "one that keeps pods from being placed",
      [{ ...own, effect: "NoSchedule", tolerationSeconds: undefined }],
      [{ ...own, effect: "NoSchedule", tolerationSeconds: undefined }, notReady, unreachable],
    ],
  ])("a pod with %s", async (_what, tolerations, expected) => {
    for (const old of [undefined, podWith()]) {
      const write = { resource: "pods", object: podWith({ tolerations }), ...(old && { old }) };
      const pod = await podAfter(new PluginGround(defaultTolerationSeconds), write);
      expect(pod.spec.tolerations).toEqual(expected);
    }
  });
});

describe("ExtendedResourceToleration", () => {
  const requesting = (name: string) =>
    podOfContainer({ resources: { requests: { [name]: "1" }, limits: { [name]: "1" } } });
  const toleration = { key: "example.com/gpu", operator: "Exists", effect: "NoSchedule" };

  test.each([
    [requesting("example.com/gpu"), [toleration]],
    [requesting("cpu"), undefined],
    [requesting("kubernetes.io/x"), undefined],
    [
      podWith({
        initContainers: [{ name: "i", image: "i", resources: { requests: { "example.com/gpu": "1" } } }],
        tolerations: [toleration],
      }),
      [toleration],
    ],
  ])("%j", async (object, tolerations) => {
    const pod = await podAfter(new PluginGround(extendedResourceToleration), { resource: "pods", object });
    expect(pod.spec.tolerations).toEqual(tolerations);
  });
});

test.each([
  ["kubernetes.io/hostname", undefined],
  [
    "zone",
    'pods "pod" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  ],
])("LimitPodHardAntiAffinityTopology: %s", async (topologyKey, refusal) => {
  const affinity = {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }] },
  };
  const ground = new PluginGround(limitPodHardAntiAffinityTopology);
  expect((await ground.admit({ resource: "pods", object: podWith({ affinity }) })).refusal).toBe(refusal);
});

test.each([
  [podWith(), undefined],
  [podWith({ securityContext: { runAsNonRoot: true } }), undefined],
  [podWith({ securityContext: { supplementalGroups: [1] } }), "pod.Spec.SecurityContext.SupplementalGroups"],
  [podWith({ securityContext: { seLinuxOptions: {} } }), "pod.Spec.SecurityContext.SELinuxOptions"],
  [podWith({ securityContext: { runAsUser: 0 } }), "pod.Spec.SecurityContext.RunAsUser"],
  [podWith({ securityContext: { fsGroup: 1 } }), "pod.Spec.SecurityContext.FSGroup"],
  [podOfContainer({ securityContext: { seLinuxOptions: {} } }), "SecurityContext.SELinuxOptions"],
  [podOfContainer({ securityContext: { runAsUser: 1 } }), "SecurityContext.RunAsUser"],
])("SecurityContextDeny: %j", async (object, what) => {
  const { refusal } = await new PluginGround(securityContextDeny).admit({ resource: "pods", object });
  expect(refusal).toBe(what && `pods "pod" is forbidden: ${what} is forbidden`);
});
