import { HostPorts } from "../pods/host-ports.js";
import { countRequests } from "../pods/node-resources.js";
import type { PodView } from "../pods/pod-view.js";
import { missingAmounts, takenPorts } from "./filters.js";
import type { NodeLoad } from "./node-load.js";
import { RemovedPods } from "./removed-pods.js";
import type { Obstacles } from "./unfit-message.js";
import type { UnfitReasons } from "./unfit-reason.js";

export interface Preemption {
  readonly node: NodeLoad;
  readonly victims: readonly PodView[];
}

export interface PreemptionParts {
  /** Nodes where removing less important pods could make room. */
  readonly candidates: readonly NodeLoad[];
  /** What the pod lacks on the node apart from amounts and ports, whichever pods run there. */
  readonly otherReasons: (node: NodeLoad) => UnfitReasons;
  /** The reasons from relations to other pods that remain if these are removed from the node. */
  readonly relationReasons: (node: NodeLoad, gone: RemovedPods) => UnfitReasons;
  /** Whether removing the pod violates a budget. */
  readonly violatesBudget: (pod: PodView) => boolean;
}

export interface PreemptionSearch {
  readonly found: Preemption | undefined;
  /** For each candidate where preemption would not help, the reason. */
  readonly reasons: readonly Obstacles[];
}

/** How many nodes are compared where removing pods helps. Kubernetes' scheduler compares a tenth of all nodes, at least 100. */
function helpfulMax(candidates: number): number {
  return Math.max(100, Math.floor(candidates / 10));
}

/**
 * Finds where the pod could run if less important ones left: the node with the fewest victims that a budget protects, then with the least
 * important ones, then with the fewest. Source: Kubernetes documentation, "Pod Priority and Preemption".
 */
export function findPreemption(pod: PodView, parts: PreemptionParts): PreemptionSearch {
  let chosen: (Preemption & { readonly order: readonly number[] }) | undefined;
  const helpless: Obstacles[] = [];
  let helpful = 0;
  for (const node of parts.candidates) {
    if (helpful === helpfulMax(parts.candidates.length)) break;
    const others = parts.otherReasons(node);
    const { victims, reasons } =
      others.length > 0 ? { victims: [], reasons: others } : victimsOn(node, pod, parts);
    if (victims.length === 0) {
      helpless.push(reasons);
      continue;
    }
    helpful++;
    const order = [
      victims.filter(parts.violatesBudget).length,
      Math.max(...victims.map(({ priority }) => priority)),
      victims.reduce((sum, { priority }) => sum + priority, 0),
      victims.length,
    ];
    if (chosen === undefined || isLess(order, chosen.order)) chosen = { node, victims, order };
  }
  return { found: chosen, reasons: helpless };
}

/** Removes all less important pods, then puts back those that can stay, the most important first. Without victims, `reasons` says why. */
function victimsOn(
  node: NodeLoad,
  pod: PodView,
  { relationReasons, violatesBudget }: PreemptionParts,
): { readonly victims: readonly PodView[]; readonly reasons: Obstacles } {
  const lesser = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  const rest = new RestOfNode(node);
  const lacks = (): UnfitReasons => {
    const own = rest.reasonsAgainst(pod);
    return own.length > 0 ? own : relationReasons(node, rest.gone);
  };
  for (const each of lesser) rest.remove(each);
  const reasons = lacks();
  if (reasons.length > 0) return { victims: [], reasons };
  const victims: PodView[] = [];
  const protectedPods = new Set(lesser.filter(violatesBudget));
  const byImportance = [...lesser].sort(
    (a, b) =>
      Number(protectedPods.has(b)) - Number(protectedPods.has(a)) ||
      b.priority - a.priority ||
      a.createdAt.localeCompare(b.createdAt),
  );
  for (const each of byImportance) {
    rest.putBack(each);
    if (lacks().length === 0) continue;
    rest.remove(each);
    victims.push(each);
  }
  return { victims, reasons: "noVictims" };
}

/** A node as if some of its pods had left. */
class RestOfNode {
  readonly gone = new RemovedPods();
  readonly #node: NodeLoad;
  readonly #requested: Map<string, number>;
  readonly #hostPorts = new HostPorts();

  constructor(node: NodeLoad) {
    this.#node = node;
    this.#requested = new Map(node.requested);
    for (const pod of node.pods.values()) this.#hostPorts.add(pod.hostPorts);
  }

  remove(pod: PodView): void {
    this.gone.add(pod);
    countRequests(this.#requested, pod.requests, -1);
    this.#hostPorts.remove(pod.hostPorts);
  }

  putBack(pod: PodView): void {
    this.gone.delete(pod);
    countRequests(this.#requested, pod.requests, 1);
    this.#hostPorts.add(pod.hostPorts);
  }

  /** The ports or amounts that the pod lacks. */
  reasonsAgainst(pod: PodView): UnfitReasons {
    const taken = takenPorts(pod, this.#hostPorts);
    if (taken.length > 0) return taken;
    const { view, pods } = this.#node;
    return missingAmounts(pod, {
      view,
      requested: this.#requested,
      pods: { size: pods.size - this.gone.size },
    });
  }
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [index, value] of a.entries()) {
    if (value !== b[index]) return value < (b[index] ?? 0);
  }
  return false;
}
