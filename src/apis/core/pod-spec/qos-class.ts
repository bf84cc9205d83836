import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { PodSpec, ResourceRequirements } from "../../gen/core-v1.js";
import type { ResourceList } from "./resource-list.js";

export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

const countedResources = ["cpu", "memory"] as const;

/**
 * The quality of service class of a pod: Guaranteed when all containers have equal requests and limits of cpu and memory, BestEffort when
 * no container has any. Pod-level resources, if any, count instead of the containers'.
 */
export function qosClassOf(spec: PodSpec): QosClass {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let allLimited = true;
  for (const { resources } of holdersOf(spec)) {
    addAmounts(requests, resources.requests);
    if (addAmounts(limits, resources.limits) < countedResources.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const equal = [...requests].every(([resource, amount]) => limits.get(resource)?.compare(amount) === 0);
  return allLimited && equal && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

function holdersOf(spec: PodSpec): readonly { readonly resources: ResourceRequirements }[] {
  const { resources, containers = [], initContainers = [] } = spec;
  return resources === undefined ? [...containers, ...initContainers] : [{ resources }];
}

/** How many of the relevant resources `list` has. */
function addAmounts(totals: Map<string, Quantity>, list: ResourceList | undefined): number {
  let stated = 0;
  for (const resource of countedResources) {
    const text = list?.[resource];
    if (text === undefined) continue;
    const amount = Quantity.parse(text);
    if (amount.sign() <= 0) continue;
    totals.set(resource, totals.get(resource)?.add(amount) ?? amount);
    stated++;
  }
  return stated;
}
