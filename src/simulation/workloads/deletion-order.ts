import type { PodView } from "../pods/pod-view.js";

const phases = ["Pending", "Unknown", "Running"];

/**
 * Sorts pods by the order in which a workload that is scaled down deletes them. Source: Kubernetes' `ActivePodsWithRanks`: first those that
 * wait for a node or are not ready, then cheap ones, those that share a node with most of `related`, and the youngest.
 */
export function deletionOrder(
  pods: readonly PodView[],
  related: Iterable<PodView> = [],
  costAnnotation?: string,
): readonly PodView[] {
  const perNode = new Map<string, number>();
  for (const { nodeName } of related) perNode.set(nodeName, (perNode.get(nodeName) ?? 0) + 1);
  const ranked = pods.map((pod) => ({
    pod,
    order: [
      pod.isScheduled ? 1 : 0,
      phases.indexOf(pod.phase),
      pod.isReady ? 1 : 0,
      costOf(pod, costAnnotation),
      -(perNode.get(pod.nodeName) ?? 0),
      -(pod.readySince ?? 0),
      -pod.restarts,
      -Date.parse(pod.createdAt),
    ],
  }));
  ranked.sort((a, b) => compare(a.order, b.order));
  return ranked.map(({ pod }) => pod);
}

function costOf({ stored }: PodView, annotation: string | undefined): number {
  if (annotation === undefined || !stored.body.includes(annotation)) return 0;
  const cost = Number(stored.decode().metadata.annotations?.[annotation] ?? 0);
  return Number.isSafeInteger(cost) ? cost : 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
