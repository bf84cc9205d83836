import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath, forbidden, invalid } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
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
  /** Whether pod-level resources may change. */
  readonly allowPodResize: boolean;
}

/** Validates a resize of a pod's containers. `pod` and `old` differ in nothing else. Source: KEP-1287. */
export function validatePodResize(pod: Pod, old: Pod, options: PodResizeOptions): FieldError[] {
  const { level } = options;
  const touchesPod = hasOwnResources(old.spec) || hasOwnResources(pod.spec);
  const why = reasonNotToResize(old, touchesPod, options);
  if (why !== undefined) return [forbidden(FieldPath.nameless, why)];
  const path = FieldPath.of("spec");
  const errors = validatePod(pod, options);
  if (qosClassOf(old.spec) !== qosClassOf(pod.spec)) {
    const message = "Pod QOS Class may not change as a result of resizing";
    errors.push(invalid(path, pod.status.qosClass ?? "", message));
  }
  if (!isSupportedByNode(old)) errors.push(forbidden(path, "Pod running on node without support for resize"));
  if (touchesPod) {
    if (!options.allowPodResize) return [...errors, forbidden(FieldPath.nameless, podResizeIsOff)];
    append(errors, validatePodsOwn(pod.spec, old.spec, path));
  }
  if ((old.status.nodeAllocatableResourceClaimStatuses ?? []).length > 0) {
    errors.push(forbidden(path, "pods with node allocatable resource claims cannot be resized"));
  }
  const others = otherContainers(pod.spec, old.spec, path, level);
  if (others.length > 0) return [...errors, ...others];
  const init = changedContainers(
    pod.spec.initContainers,
    old.spec.initContainers,
    path.child("initContainers"),
  );
  const main = changedContainers(pod.spec.containers, old.spec.containers, path.child("containers"));
  for (const change of init) {
    if (isResizable(change, level)) append(errors, validateResources(change, options));
  }
  for (const change of main) {
    append(errors, validateResources(change, options));
  }
  for (const change of main) {
    if (hasOtherResources(change, level)) errors.push(forbidden(path, onlyCpuAndMemory));
  }
  for (const change of init) append(errors, validateInitContainer(change, path, options));
  if (errors.length === 0 && !touchesPod && !isDeepEqual(pod.spec.resources, old.spec.resources)) {
    errors.push(forbidden(path, onlyCpuAndMemory));
  }
  return errors;
}

const onlyCpuAndMemory = "only cpu and memory resources are mutable";
const podResizeIsOff =
  "resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled";

/** An error that makes all others irrelevant. */
function reasonNotToResize(
  old: Pod,
  touchesPod: boolean,
  { naming, level }: PodResizeOptions,
): string | undefined {
  if (touchesPod && !isAtLeast(level, "1.35")) return "pods with pod-level resources cannot be resized";
  if (old.metadata.annotations?.[mirrorPodAnnotation(naming)] !== undefined) {
    return "static pods cannot be resized";
  }
  return old.spec.os?.name === "windows" ? "windows pods cannot be resized" : undefined;
}

function hasOwnResources({ resources }: PodSpec): boolean {
  return Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;
}

/** A node agent that supports resizing reports resources of running containers. */
function isSupportedByNode({ status }: Pod): boolean {
  const running = (status.containerStatuses ?? []).find(({ state }) => state.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function otherContainers(spec: PodSpec, old: PodSpec, path: FieldPath, level: ApiLevel): FieldError[] {
  const errors = (["containers", "initContainers"] as const).flatMap((list) => {
    const [names, before] = [namesOf(spec[list]), namesOf(old[list])];
    if (names.length !== before.length) {
      return [forbidden(path.child(list), `${list} may not be added or removed on resize`)];
    }
    const renamed = `${list} may not be renamed or reordered on resize`;
    return errorsOfEach(names, (name, index) =>
      name === before[index] ? [] : [forbidden(path.child(list).index(index).child("name"), renamed)],
    );
  });
  return isAtLeast(level, "1.33") || errors.length === 0 ? errors : [forbidden(path, onlyCpuAndMemory)];
}

function namesOf(containers: readonly Container[] = []): string[] {
  return containers.map(({ name }) => name);
}

interface ContainerChange {
  readonly container: Container;
  readonly before: Container;
  readonly path: FieldPath;
}

/** Both lists have the same names. */
function changedContainers(
  containers: readonly Container[] = [],
  old: readonly Container[] = [],
  path: FieldPath,
): ContainerChange[] {
  return containers.flatMap((container, index) => {
    const before = old[index];
    return before === undefined ? [] : [{ container, before, path: path.index(index) }];
  });
}

/** Sidecars run beside the containers; other init containers only before them, or not any more. */
function isResizable({ container }: ContainerChange, level: ApiLevel): boolean {
  return isAtLeast(level, "1.36") || isSidecar(container);
}

/** As in Kubernetes, also true for any container with claims, because they are left out of one side. */
function hasOtherResources({ container, before }: ContainerChange, level: ApiLevel): boolean {
  return !isDeepEqual(withCpuAndMemoryOf(container, before, level), before);
}

function validateInitContainer(
  change: ContainerChange,
  specPath: FieldPath,
  { level }: PodResizeOptions,
): FieldError[] {
  const { container, before, path } = change;
  const isChanged = !isDeepEqual(container, before);
  if (!isResizable(change, level)) {
    if (!isChanged) return [];
    return [forbidden(specPath, "resources for non-sidecar init containers are immutable")];
  }
  const errors: FieldError[] = [];
  if (hasOtherResources(change, level)) {
    const only = (which: string): string =>
      `only cpu and memory resources for ${which} containers are mutable`;
    errors.push(
      isAtLeast(level, "1.36")
        ? forbidden(path, only("init or sidecar"))
        : forbidden(specPath, only("sidecar")),
    );
  }
  if (!isChanged || isSidecar(container)) return errors;
  for (const { restartPolicy } of container.resizePolicy ?? []) {
    if (restartPolicy !== "RestartContainer") continue;
    const why = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
    errors.push(forbidden(path, why));
  }
  return errors;
}

function validateResources(
  { container, before: { resources: before }, path }: ContainerChange,
  { level }: PodResizeOptions,
): FieldError[] {
  const { resources, resizePolicy = [] } = container;
  const at = path.child("resources");
  const errors = validateNothingRemoved(resources, before, at);
  // Since 1.34, the node agent checks whether the memory in use allows it.
  if (isAtLeast(level, "1.34")) return errors;
  const policy = resizePolicy.find(({ resourceName }) => resourceName === "memory")?.restartPolicy ?? "";
  const limit = resources.limits?.memory;
  if (policy === "RestartContainer" || limit === undefined) return errors;
  const limitPath = at.child("limits").key("memory");
  const unless = "unless resizePolicy is RestartContainer";
  const oldLimit = before.limits?.memory;
  if (oldLimit === undefined) {
    // A container without a limit may use all memory, so any limit is a decrease.
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
  whose = "",
): FieldError[] {
  return (["requests", "limits"] as const)
    .filter((list) => lacksSome(resources[list], before[list]))
    .map((list) => forbidden(path.child(list), `${whose}resource ${list} cannot be removed`));
}

function lacksSome(list: ResourceList | undefined, before: ResourceList | undefined): boolean {
  return Object.keys(before ?? {}).some((name) => !Object.hasOwn(list ?? {}, name));
}

/** Pod-level resources, which can be resized since 1.35. */
function validatePodsOwn({ resources }: PodSpec, old: PodSpec, path: FieldPath): FieldError[] {
  const before = old.resources;
  const at = path.child("resources");
  if (resources === undefined) return [forbidden(at, "pod-level resources cannot be removed")];
  const errors = validateNothingRemoved(resources, before ?? {}, at, "pod-level ");
  const masked = requirementsWithCpuAndMemoryOf(resources, before, "1.35");
  if (!isDeepEqual(masked, before ?? {})) {
    errors.push(forbidden(path, "only cpu and memory resources are mutable at pod-level"));
  }
  return errors;
}
