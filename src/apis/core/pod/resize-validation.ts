import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath, forbidden, invalid } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Container, Pod, PodSpec, ResourceRequirements } from "../../gen/core-v1.js";
import { isSidecar } from "../pod-spec/containers.js";
import { mirrorPodAnnotation } from "../pod-spec/pod-annotations.js";
import type { PodValidationOptions } from "../pod-spec/pod-validation-rules.js";
import { qosClassOf } from "../pod-spec/qos-class.js";
import type { ResourceList } from "../pod-spec/resource-list.js";
import { requirementsWithCpuAndMemoryOf, withCpuAndMemoryOf } from "./resized-containers.js";
import { validatePod } from "./validation.js";

export interface PodResizeOptions extends PodValidationOptions {
  /** Whether the resources of the pod as a whole may change. */
  readonly allowPodResize: boolean;
}

/** A change of the resources of a pod's containers, while they run. `pod` and `old` differ in nothing else. Source: KEP-1287. */
export function validatePodResize(pod: Pod, old: Pod, options: PodResizeOptions): FieldError[] {
  const why = reasonNotToResize(pod, old, options);
  if (why !== undefined) return [forbidden(FieldPath.of(""), why)];
  const path = FieldPath.of("spec");
  const errors = validatePod(pod, options);
  if (qosClassOf(old.spec) !== qosClassOf(pod.spec)) {
    const message = isAtLeast(options.level, "1.33")
      ? "Pod QOS Class may not change as a result of resizing"
      : "Pod QoS is immutable";
    errors.push(invalid(path, pod.status.qosClass ?? "", message));
  }
  if (!isSupportedByNode(old)) errors.push(forbidden(path, "Pod running on node without support for resize"));
  if (hasOtherContainers(pod.spec, old.spec)) {
    return [...errors, forbidden(path, "only cpu and memory resources are mutable")];
  }
  append(errors, validateInitContainers(pod.spec, old.spec, path, options));
  for (const [index, container] of (pod.spec.containers ?? []).entries()) {
    const before = old.spec.containers?.[index];
    if (before === undefined) continue;
    append(errors, validateResources(container, before, path.child("containers").index(index), options));
    if (!isDeepEqual(withCpuAndMemoryOf(container, before), before)) {
      errors.push(forbidden(path, "only cpu and memory resources are mutable"));
    }
  }
  return [...errors, ...validatePodsOwn(pod.spec, old.spec, path.child("resources"))];
}

function reasonNotToResize(pod: Pod, old: Pod, options: PodResizeOptions): string | undefined {
  if (!options.allowPodResize && (hasOwnResources(old.spec) || hasOwnResources(pod.spec))) {
    return "pods with pod-level resources cannot be resized";
  }
  if (old.metadata.annotations?.[mirrorPodAnnotation(options.naming)] !== undefined) {
    return "static pods cannot be resized";
  }
  return old.spec.os?.name === "windows" ? "windows pods cannot be resized" : undefined;
}

function hasOwnResources({ resources }: PodSpec): boolean {
  return Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;
}

/** Node agents that can resize report the resources of running containers. */
function isSupportedByNode({ status }: Pod): boolean {
  const running = (status.containerStatuses ?? []).find(({ state }) => state.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function hasOtherContainers(spec: PodSpec, old: PodSpec): boolean {
  const namesOf = ({ containers = [], initContainers = [] }: PodSpec): string[][] => [
    containers.map(({ name }) => name),
    initContainers.map(({ name }) => name),
  ];
  return !isDeepEqual(namesOf(spec), namesOf(old));
}

/** Sidecars run beside the containers; other init containers only before them, or not any more. */
function validateInitContainers(
  spec: PodSpec,
  old: PodSpec,
  path: FieldPath,
  options: PodResizeOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const allResize = isAtLeast(options.level, "1.36");
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const before = old.initContainers?.[index];
    if (before === undefined) continue;
    if (!allResize && !isSidecar(container)) {
      if (isDeepEqual(container, before)) continue;
      errors.push(forbidden(path, "resources for non-sidecar init containers are immutable"));
      continue;
    }
    append(errors, validateResources(container, before, path.child("initContainers").index(index), options));
    if (!isDeepEqual(withCpuAndMemoryOf(container, before), before)) {
      errors.push(forbidden(path, "only cpu and memory resources for sidecar containers are mutable"));
    }
  }
  return errors;
}

function validateResources(
  { resources, resizePolicy = [] }: Container,
  { resources: before }: Container,
  path: FieldPath,
  { level }: PodResizeOptions,
): FieldError[] {
  const at = path.child("resources");
  const errors = validateNothingRemoved(resources, before, at);
  // From 1.34 on, the node agent decides whether the memory in use allows it.
  if (isAtLeast(level, "1.34")) return errors;
  const policy = resizePolicy.find(({ resourceName }) => resourceName === "memory")?.restartPolicy ?? "";
  const limit = resources.limits?.memory;
  if (policy === "RestartContainer" || limit === undefined) return errors;
  const limitPath = at.child("limits").key("memory");
  const unless = "unless resizePolicy is RestartContainer";
  const oldLimit = before.limits?.memory;
  if (oldLimit === undefined) {
    // A container without a limit has all memory.
    errors.push(forbidden(limitPath, `memory limits cannot be added ${unless}`));
  } else if (Quantity.parse(limit).compare(Quantity.parse(oldLimit)) < 0) {
    errors.push(forbidden(limitPath, `memory limits cannot be decreased ${unless}`));
  }
  return errors;
}

function validateNothingRemoved(
  resources: ResourceRequirements,
  before: ResourceRequirements,
  path: FieldPath,
): FieldError[] {
  return (["requests", "limits"] as const)
    .filter((list) => lacksSome(resources[list], before[list]))
    .map((list) => forbidden(path.child(list), `resource ${list} cannot be removed`));
}

function lacksSome(list: ResourceList | undefined, before: ResourceList | undefined): boolean {
  return Object.keys(before ?? {}).some((name) => !Object.hasOwn(list ?? {}, name));
}

function validatePodsOwn(spec: PodSpec, old: PodSpec, path: FieldPath): FieldError[] {
  const [resources, before] = [spec.resources ?? {}, old.resources ?? {}];
  if (isDeepEqual(resources, before)) return [];
  const errors = validateNothingRemoved(resources, before, path);
  if (!isDeepEqual(requirementsWithCpuAndMemoryOf(resources, before), before)) {
    errors.push(forbidden(path, "only cpu and memory resources are mutable"));
  }
  return errors;
}
