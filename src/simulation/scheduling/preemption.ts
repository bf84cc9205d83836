import { HostPorts } from "../pods/host-ports.js";
import { countRequests } from "../pods/node-resources.js";
import type { PodView } from "../pods/pod-view.js";
import { insufficient, portsTaken } from "./filters.js";
import type { NodeLoad } from "./node-load.js";
import { noVictims } from "./unfit-message.js";

export interface Preemption {
  readonly node: NodeLoad;
  readonly victims: readonly PodView[];
}

export interface PreemptionParts {
  /** Nodes where removing less important pods could make room. */
  readonly candidates: readonly NodeLoad[];
  /** What the pod lacks on the node apart from amounts and ports, whichever pods run there. */
  readonly otherReasons: (node: NodeLoad) => readonly string[];
  /** Which relations to other pods keep it away when these have left the node. */
  readonly relationReasons: (node: NodeLoad, gone: ReadonlySet<PodView>) => readonly string[];
  /** Whether removing the pod, in addition to those already chosen, violates a budget. */
  readonly violatesBudget: (pod: PodView) => boolean;
}

export interface PreemptionSearch {
  readonly found: Preemption | undefined;
  /** Of each candidate where it would not help, why. */
  readonly reasons: readonly (readonly string[])[];
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
  const helpless: (readonly string[])[] = [];
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
): { readonly victims: readonly PodView[]; readonly reasons: readonly string[] } {
  const lesser = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  const left = new Map(node.pods);
  const gone = new Set<PodView>();
  const requested = new Map(node.requested);
  const hostPorts = new HostPorts();
  for (const each of left.values()) hostPorts.add(each.hostPorts);
  const charge = (each: PodView, by: 1 | -1): void => {
    countRequests(requested, each.requests, by);
    if (by === 1) {
      left.set(each.key, each);
      gone.delete(each);
      hostPorts.add(each.hostPorts);
    } else {
      left.delete(each.key);
      gone.add(each);
      hostPorts.remove(each.hostPorts);
    }
  };
  const lacks = (): readonly string[] => {
    if (hostPorts.hasAny(pod.hostPorts)) return portsTaken;
    const short = insufficient(pod.requests, { view: node.view, requested, pods: left });
    return short.length > 0 ? short : relationReasons(node, gone);
  };
  for (const each of lesser) charge(each, -1);
  const reasons = lacks();
  if (reasons.length > 0) return { victims: [], reasons };
  const victims: PodView[] = [];
  const byImportance = [...lesser].sort(
    (a, b) =>
      Number(violatesBudget(b)) - Number(violatesBudget(a)) ||
      b.priority - a.priority ||
      a.createdAt.localeCompare(b.createdAt),
  );
  for (const each of byImportance) {
    charge(each, 1);
    if (lacks().length === 0) continue;
    charge(each, -1);
    victims.push(each);
  }
  return { victims, reasons: noVictims };
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [index, value] of a.entries()) {
    if (value !== b[index]) return value < (b[index] ?? 0);
  }
  return false;
}
