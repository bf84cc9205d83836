import { expect, test } from "vitest";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { dropDisabledPodTemplateFields } from "./disabled-fields.js";
import { validatePodSpec } from "./validation.js";
import { podValidationOptions } from "./validation-options.js";

function container(fields: JsonObject): JsonObject {
  return { containers: [{ name: "app", image: "app:1", ...fields }] };
}

const term = { topologyKey: "z", labelSelector: {} };
const affinity = (terms: JsonObject[]): JsonObject => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const tcp = { tcpSocket: { port: 1 } };
const claim = { name: "gpu" };

test.each<[gate: string, spec: JsonObject, without: JsonObject]>([
  [
    "LocalStorageCapacityIsolation",
    { volumes: [{ name: "v", emptyDir: { sizeLimit: "1" } }] },
    { volumes: [{ name: "v", emptyDir: {} }] },
  ],
  ["EphemeralContainers", { ephemeralContainers: [{ name: "e", image: "e" }] }, {}],
  [
    "ProbeTerminationGracePeriod",
    container({ startupProbe: { ...tcp, terminationGracePeriodSeconds: 1 } }),
    container({ startupProbe: tcp }),
  ],
  ["IdentifyPodOS", { os: { name: "linux" } }, {}],
  ["PodOverhead", { overhead: { cpu: "1" } }, {}],
  [
    "ProcMountType",
    container({ securityContext: { procMount: "Unmasked" } }),
    container({ securityContext: { procMount: "Default" } }),
  ],
  ["CSIInlineVolume", { volumes: [{ name: "v", csi: { driver: "d" } }] }, { volumes: [{ name: "v" }] }],
  [
    "DynamicResourceAllocation",
    { resourceClaims: [claim], ...container({ resources: { claims: [claim] } }) },
    { resourceClaims: [claim], ...container({}) },
  ],
  ["PodAffinityNamespaceSelector", affinity([{ ...term, namespaceSelector: {} }]), affinity([term])],
])("fields of %s are dropped while it is off, unless they are in use", (gate, spec, without) => {
  const context = testApiContext({ gates: { [gate]: false } });
  const used = testPod(context, spec);
  // A volume without a source would become an emptyDir.
  const codec = context.schemas.codec<typeof used>("core/v1.Pod");
  const expected = codec.toJson(withoutEmptyDirs(testPod(context, without), gate));

  const created = codec.clone(used);
  dropDisabledPodTemplateFields(context, created);
  expect(codec.toJson(created)).toBe(expected);

  const updated = codec.clone(used);
  dropDisabledPodTemplateFields(context, updated, used);
  expect(codec.toJson(updated)).toBe(codec.toJson(used));

  const kept = codec.clone(used);
  dropDisabledPodTemplateFields(testApiContext(), kept);
  expect(codec.toJson(kept)).toBe(codec.toJson(used));
});

function withoutEmptyDirs<T extends ReturnType<typeof testPod>>(pod: T, gate: string): T {
  if (gate === "CSIInlineVolume") for (const volume of pod.spec.volumes ?? []) volume.emptyDir = undefined;
  return pod;
}

test("annotations of AppArmor are dropped like fields", () => {
  const context = testApiContext({ gates: { AppArmor: false } });
  const annotations = { "container.apparmor.security.beta.kubernetes.io/app": "unconfined", a: "b" };
  const pod = testPod(context, {}, { annotations });
  dropDisabledPodTemplateFields(context, pod);
  expect(pod.metadata.annotations).toEqual({ a: "b" });
});

test("preemption follows the priority that is in use", () => {
  const context = testApiContext({ gates: { NonPreemptingPriority: false } });
  const pod = testPod(context, { preemptionPolicy: "Never" });
  dropDisabledPodTemplateFields(context, pod, testPod(context, { priority: 5 }));
  expect(pod.spec.preemptionPolicy).toBe("Never");
  dropDisabledPodTemplateFields(context, pod);
  expect(pod.spec.preemptionPolicy).toBeUndefined();
});

const searches = Array.from({ length: 7 }, (_, index) => `s${index}`);
const hugePages = container({
  env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.hugepages-2Mi" } } }],
});
const indivisible = container({ resources: { limits: { memory: "1", "hugepages-2Mi": "1Mi" } } });

test.each<[gate: string, spec: JsonObject]>([
  ["ExpandedDNSConfig", { dnsConfig: { searches } }],
  ["DownwardAPIHugePages", hugePages],
  ["WindowsHostProcessContainers", { securityContext: { windowsOptions: { hostProcess: false } } }],
  ["none", indivisible],
  ["none", { securityContext: { sysctls: [{ name: "a/b", value: "1" }] } }],
])("without the gate %s only a pod that has it keeps %j", (gate, spec) => {
  const context = testApiContext({ gates: { [gate]: false } });
  const pod = testPod(context, spec);
  const errorsWith = (old?: typeof pod): string[] =>
    errorTexts(
      validatePodSpec(pod.spec, pod.metadata, FieldPath.of("spec"), podValidationOptions(context, pod, old)),
    );
  expect(errorsWith()).not.toEqual([]);
  expect(errorsWith(pod)).toEqual([]);
});
