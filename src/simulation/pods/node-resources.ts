/** A resource of which a node has too little left. Amounts as in `PodView.requests`. */
export interface Shortage {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** What the pods on a node take of it. */
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

/** Counts the requests of a pod that comes, or goes. */
export function countRequests(
  sums: Map<string, number>,
  requests: ReadonlyMap<string, number>,
  by: 1 | -1,
): void {
  for (const [resource, amount] of requests) {
    sums.set(resource, (sums.get(resource) ?? 0) + by * amount);
  }
}
