import { Quantity } from "../../apimachinery/values/quantity.js";
import type { NodeStatus } from "../../apis/gen/core-v1.js";

/** A resource of which a node has too little left. Amounts as in `PodView.requests`. */
export interface Shortage {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** Resources that the pods on a node use. */
export interface ResourceUse {
  readonly pods: number;
  readonly requested: ReadonlyMap<string, number>;
}

/** What a node lacks for one more pod with these requests. */
export function shortages(
  requests: ReadonlyMap<string, number>,
  allocatable: ReadonlyMap<string, number>,
  { pods, requested: taken }: ResourceUse,
): readonly Shortage[] {
  const found: Shortage[] = [];
  const check = (resource: string, requested: number, used: number): void => {
    const capacity = allocatable.get(resource) ?? 0;
    if (requested !== 0 && used + requested > capacity) found.push({ resource, requested, used, capacity });
  };
  check("pods", 1, pods);
  for (const [resource, amount] of requests) check(resource, amount, taken.get(resource) ?? 0);
  return found;
}

/**
 * What a node offers to pods. Devices (`example.com/dongle`) are allocatable if its capacity lists them, and never beyond it, because
 * clients add them to the capacity alone. Source: Kubernetes documentation, "Advertise Extended Resources for a Node".
 */
export function allocatableOf({
  capacity,
  allocatable,
}: Pick<NodeStatus, "capacity" | "allocatable">): Record<string, string> {
  if (capacity === undefined || allocatable === undefined) return allocatable ?? capacity ?? {};
  const resources = new Set([...Object.keys(allocatable), ...Object.keys(capacity).filter(isDevice)]);
  return Object.fromEntries(
    [...resources].flatMap((name) => {
      const amount = isDevice(name) ? least(allocatable[name], capacity[name]) : allocatable[name];
      return amount === undefined ? [] : [[name, amount]];
    }),
  );
}

/** Such as `example.com/dongle`. Kubernetes calls it an extended resource. */
export function isDevice(resource: string): boolean {
  return resource.includes("/");
}

/** `given`, but at most `all`; `all` if nothing is given. */
function least(given: string | undefined, all: string | undefined): string | undefined {
  if (given === undefined || all === undefined) return all;
  return Quantity.parse(given).compare(Quantity.parse(all)) > 0 ? all : given;
}

/** Adds or subtracts the requests of a pod. */
export function countRequests(
  sums: Map<string, number>,
  requests: ReadonlyMap<string, number>,
  by: 1 | -1,
): void {
  for (const [resource, amount] of requests) {
    sums.set(resource, (sums.get(resource) ?? 0) + by * amount);
  }
}
