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
  /** What the pod lacks on the node apart from amounts and ports. */
  readonly otherReasons: (node: NodeLoad) => readonly string[];
  /** Whether removing the pod, in addition to those already chosen, violates a budget. */
  readonly violatesBudget: (pod: PodView) => boolean;
}

export interface PreemptionSearch {
  readonly found: Preemption | undefined;
  /** Of each candidate where it would not help, why. */
  readonly reasons: readonly (readonly string[])[];
}

/**
 * Finds where the pod could run if less important ones left: the node with the fewest victims that a budget protects, then with the least
 * important ones, then with the fewest. Source: Kubernetes documentation, "Pod Priority and Preemption".
 */
export function findPreemption(pod: PodView, parts: PreemptionParts): PreemptionSearch {
  let chosen: (Preemption & { readonly order: readonly number[] }) | undefined;
  const helpless: (readonly string[])[] = [];
  for (const node of parts.candidates) {
    const others = parts.otherReasons(node);
    const { victims, reasons } =
      others.length > 0 ? { victims: [], reasons: others } : victimsOn(node, pod, parts.violatesBudget);
    if (victims.length === 0) {
      helpless.push(reasons);
      continue;
    }
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
  violatesBudget: (pod: PodView) => boolean,
): { readonly victims: readonly PodView[]; readonly reasons: readonly string[] } {
  const lesser = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  const left = new Map(node.pods);
  const requested = new Map(node.requested);
  const hostPorts = new HostPorts();
  for (const each of left.values()) hostPorts.add(each.hostPorts);
  const charge = (each: PodView, by: 1 | -1): void => {
    countRequests(requested, each.requests, by);
    if (by === 1) {
      left.set(each.key, each);
      hostPorts.add(each.hostPorts);
    } else {
      left.delete(each.key);
      hostPorts.remove(each.hostPorts);
    }
  };
  const lacks = (): readonly string[] =>
    hostPorts.hasAny(pod.hostPorts)
      ? portsTaken
      : insufficient(pod.requests, { view: node.view, requested, pods: left });
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
