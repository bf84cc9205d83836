import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Container, Pod, PodStatus } from "../../gen/core-v1.js";
import { dropOldInitContainerAnnotations, setHostPorts, setPodSpecDefaults } from "../pod-spec/defaults.js";
import { setPodResourceDefaults } from "./pod-resource-defaults.js";

export function setPodDefaults(pod: Pod, context: ApiContext): void {
  dropOldInitContainerAnnotations(pod, context);
  // Set before quantities are rounded, so that both are rounded alike.
  for (const container of pod.spec.containers ?? []) setRequestsFromLimits(container);
  for (const container of pod.spec.initContainers ?? []) setRequestsFromLimits(container);
  if (namesResizePolicies(context))
    for (const container of pod.spec.containers ?? []) setResizePolicy(container);
  pod.spec.enableServiceLinks ??= true;
  // Templates are left as they are.
  if (isAtLeast(context.level, "1.27") && Number(pod.spec.terminationGracePeriodSeconds ?? 0) < 0) {
    pod.spec.terminationGracePeriodSeconds = 1;
  }
  setPodResourceDefaults(pod.spec, context);
  if (pod.spec.hostNetwork === true) setHostPorts(pod.spec);
  setPodSpecDefaults(pod.spec, context);
  alignPodIps(pod.status);
}

function setRequestsFromLimits({ resources }: Container): void {
  if (resources.limits === undefined) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** Whether the default resize policy is set for every resource: since 1.33, absent means the same. */
function namesResizePolicies({ level, isEnabled }: ApiContext): boolean {
  return isEnabled("InPlacePodVerticalScaling") && !isAtLeast(level, "1.33");
}

function setResizePolicy(container: Container): void {
  const given = new Set(container.resizePolicy?.map(({ resourceName }) => resourceName));
  for (const resourceName of ["cpu", "memory"]) {
    if (container.resources.requests?.[resourceName] === undefined || given.has(resourceName)) continue;
    container.resizePolicy = [
      ...(container.resizePolicy ?? []),
      { resourceName, restartPolicy: "NotRequired" },
    ];
  }
}

/** `podIP` existed before `podIPs`; where they differ, an old client wrote `podIP`, which wins. */
function alignPodIps(status: PodStatus): void {
  const podIP = status.podIP ?? "";
  if (podIP !== "" && status.podIPs?.[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  const first = status.podIPs?.[0];
  if (first !== undefined) status.podIP = first.ip;
}
