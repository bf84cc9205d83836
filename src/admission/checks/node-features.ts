import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { LevelRange } from "../../apimachinery/levels/api-level.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import { isSidecar } from "../../apis/core/pod-spec/containers.js";
import type { Container, Pod } from "../../apis/gen/core-v1.js";

/** A feature that a node agent needs for a change of a pod on its node. */
export interface NodeFeature extends LevelRange {
  /** The name that nodes declare. */
  readonly name: string;
  isNeededFor(pod: Pod, old: Pod): boolean;
}

/** Sorted by name. Source: KEP-5328 and `k8s.io/component-helpers/nodedeclaredfeatures`. */
export const nodeFeatures: readonly NodeFeature[] = [
  { name: "GuaranteedQoSPodCPUResize", until: "1.36", isNeededFor: resizesGuaranteedCpu },
  {
    name: "InPlacePodLevelResourcesVerticalScaling",
    isNeededFor: (pod, old) => !isDeepEqual(pod.spec.resources, old.spec.resources),
  },
  { name: "InPlacePodVerticalScalingInitContainers", since: "1.36", isNeededFor: resizesInitContainers },
];

function resizesGuaranteedCpu(pod: Pod, old: Pod): boolean {
  if (old.status.qosClass !== "Guaranteed") return false;
  return (old.spec.containers ?? []).some((before, index) => {
    const after = pod.spec.containers?.[index];
    return after !== undefined && cpuOf(after).compare(cpuOf(before)) !== 0;
  });
}

function cpuOf({ resources }: Container): Quantity {
  return Quantity.parse(resources.requests?.cpu ?? "0");
}

function resizesInitContainers(pod: Pod, old: Pod): boolean {
  return (old.spec.initContainers ?? []).some(
    (before, index) =>
      !isSidecar(before) && !isDeepEqual(before.resources, pod.spec.initContainers?.[index]?.resources),
  );
}
