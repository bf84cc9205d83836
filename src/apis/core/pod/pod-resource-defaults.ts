import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isHugePageResource } from "../../checks/resource-names.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { PodSpec } from "../../gen/core-v1.js";
import { containersTotal } from "../pod-spec/pod-requests.js";
import { isPodResource } from "../pod-spec/pod-resources-validation.js";
import { amountIn, type ResourceList } from "../pod-spec/resource-list.js";

/**
 * Default requests of a pod with pod-level limits: the total of its containers' requests, else the limit. In place; containers must have
 * their defaults.
 */
export function setPodResourceDefaults(spec: PodSpec, { level, isEnabled }: ApiContext): void {
  const { resources } = spec;
  if (resources === undefined || !isEnabled("PodLevelResources")) return;
  if (isAtLeast(level, "1.33")) setHugePageLimits(spec, level);
  const { limits } = resources;
  if (limits === undefined || Object.keys(limits).length === 0) return;
  const requests: ResourceList = { ...resources.requests };
  for (const [name, total] of containersTotal(spec, "requests")) {
    if (!isPodResource(name, level) || isHugePageResource(name)) continue;
    if (amountIn(requests, name) === undefined) requests[name] = total.toString();
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (isPodResource(name, level) && amountIn(requests, name) === undefined) requests[name] = limit;
  }
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

/** Huge pages cannot be overcommitted, so the pod-level limit defaults to what the containers may use. */
function setHugePageLimits(spec: PodSpec, level: ApiLevel): void {
  const { resources } = spec;
  if (resources === undefined || Object.keys({ ...resources.limits, ...resources.requests }).length === 0)
    return;
  for (const [name, total] of containersTotal(spec, "limits")) {
    if (!isHugePageResource(name)) continue;
    if (amountIn(resources.limits, name) !== undefined) continue;
    if (amountIn(resources.requests, name) !== undefined && isAtLeast(level, "1.34")) continue;
    resources.limits = { ...resources.limits, [name]: total.toString() };
  }
}
