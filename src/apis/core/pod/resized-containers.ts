import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { Container, Pod, PodSpec, ResourceRequirements } from "../../gen/core-v1.js";
import type { ResourceList } from "../pod-spec/resource-list.js";

/**
 * The old pod with the resources and resize policies of the new one: all that a resize may change. Returns the new pod unchanged if its
 * containers differ, for validation to refuse.
 */
export function withResizeOf(
  old: Pod,
  pod: Pod,
  resizes: { readonly init: boolean; readonly pod: boolean; readonly managers: boolean },
): Pod {
  const { spec } = pod;
  if (spec.containers?.length !== old.spec.containers?.length) return pod;
  if ((spec.initContainers ?? []).length !== (old.spec.initContainers ?? []).length) return pod;
  const { resourceVersion } = pod.metadata;
  const { managedFields } = resizes.managers ? pod.metadata : old.metadata;
  const resized: PodSpec = {
    ...old.spec,
    containers: resizedContainers(spec.containers, old.spec.containers),
    ...(resizes.init && { initContainers: resizedContainers(spec.initContainers, old.spec.initContainers) }),
    ...(resizes.pod && { resources: spec.resources }),
  };
  return {
    ...pod,
    metadata: { ...old.metadata, resourceVersion, managedFields },
    spec: resized,
    status: old.status,
  };
}

function resizedContainers(
  containers: Container[] | undefined,
  old: readonly Container[] | undefined,
): Container[] | undefined {
  if (containers === undefined || old === undefined) return containers;
  if (containers.some(({ name }, index) => name !== old[index]?.name)) return containers;
  return old.map((container, index) => ({
    ...container,
    resources: containers[index]?.resources ?? {},
    resizePolicy: containers[index]?.resizePolicy,
  }));
}

/** `container` with the amounts of cpu and memory that `old` has, and without claims. */
export function withCpuAndMemoryOf(
  container: Container,
  old: Container | undefined,
  level: ApiLevel,
): Container {
  const { limits, requests } = requirementsWithCpuAndMemoryOf(container.resources, old?.resources, level);
  return { ...container, resources: { limits, requests } };
}

export function requirementsWithCpuAndMemoryOf(
  resources: ResourceRequirements,
  old: ResourceRequirements | undefined,
  level: ApiLevel,
): ResourceRequirements {
  return {
    ...resources,
    limits: listWithCpuAndMemoryOf(resources.limits, old?.limits, level),
    requests: listWithCpuAndMemoryOf(resources.requests, old?.requests, level),
  };
}

/** Since 1.35, a resize may add requests or limits where there were none. */
function listWithCpuAndMemoryOf(
  list: ResourceList | undefined,
  old: ResourceList | undefined,
  level: ApiLevel,
): ResourceList | undefined {
  if (old === undefined && !isAtLeast(level, "1.35")) return undefined;
  const { cpu: _cpu, memory: _memory, ...others } = list ?? {};
  const { cpu, memory } = old ?? {};
  const merged = { ...others, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  return old === undefined && Object.keys(merged).length === 0 ? undefined : merged;
}
