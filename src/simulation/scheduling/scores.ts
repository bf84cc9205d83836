import { matchesTerm } from "../pods/node-selection.js";
import { untoleratedTaint } from "../pods/tolerations.js";
import type { ClusterState } from "./cluster-state.js";
import { domainsOf } from "./filters.js";
import type { NodeLoad } from "./node-load.js";
import type { SchedulingConstraints } from "./scheduling-constraints.js";

/** A hundred times a share that is between 0 and 1. */
const best = 100;
/** The default weight in the real scheduler. */
const spreadWeight = 2;

/** How good each of the fitting nodes is; larger is better. Source: Kubernetes' default scoring plugins, simplified. */
export function scoresFor(
  constraints: SchedulingConstraints,
  nodes: readonly NodeLoad[],
  state: ClusterState,
): (node: NodeLoad) => number {
  const { view, spec } = constraints;
  const owner = view.controller?.uid;
  const siblingsMax =
    owner === undefined ? 0 : Math.max(0, ...nodes.map((node) => node.perController.get(owner) ?? 0));
  const near = constraints.preferredPods.map(({ weight, term }) => ({
    weight,
    term,
    ...domainsOf(term.topologyKey, state.perNode(term), state),
  }));
  const soft = constraints.spread
    .filter(({ isRequired }) => !isRequired)
    .map((term) => ({ term, ...domainsOf(term.topologyKey, state.perNode(term), state) }));
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return (node) => {
    let score = leastAllocated(view.requests, node);
    if (untoleratedTaint(node.view.taints, spec.tolerations ?? [], ["PreferNoSchedule"]) === undefined) {
      score += best;
    }
    for (const { weight, preference } of preferred) {
      if (preference !== undefined && matchesTerm(preference, node.view)) score += weight;
    }
    for (const { weight, term, domains } of near) {
      const domain = node.view.labels[term.topologyKey];
      if (domain !== undefined && (domains.get(domain) ?? 0) > 0) score += weight;
    }
    for (const { term, domains, total } of soft) {
      const here = domains.get(node.view.labels[term.topologyKey] ?? "") ?? 0;
      score += spreadWeight * best * (1 - here / Math.max(1, total));
    }
    if (owner !== undefined && siblingsMax > 0) {
      score += spreadWeight * best * (1 - (node.perController.get(owner) ?? 0) / siblingsMax);
    }
    return score;
  };
}

/** A pod without requests counts as a small one, so that many of them are spread over nodes, too. */
const least = new Map([
  ["cpu", 100],
  ["memory", 200 * 1024 * 1024],
]);

function leastAllocated(requests: ReadonlyMap<string, number>, { view, requested, pods }: NodeLoad): number {
  let sum = 0;
  for (const [resource, small] of least) {
    const capacity = view.allocatable.get(resource) ?? 0;
    if (capacity <= 0) continue;
    const used =
      Math.max(requested.get(resource) ?? 0, pods.size * small) + (requests.get(resource) ?? small);
    sum += Math.max(0, 1 - used / capacity);
  }
  return (best * sum) / least.size;
}
