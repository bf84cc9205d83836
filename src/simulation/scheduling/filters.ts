import { shortages } from "../pods/node-resources.js";
import { isSelected } from "../pods/node-selection.js";
import type { PodView } from "../pods/pod-view.js";
import { untoleratedTaint } from "../pods/tolerations.js";
import type { ClusterState } from "./cluster-state.js";
import type { Amounts, NodeLoad } from "./node-load.js";
import type { RemovedPods } from "./removed-pods.js";
import {
  type AffinityTerm,
  isInGroup,
  isSameTerm,
  type PodGroup,
  type SchedulingConstraints,
  type SpreadConstraint,
  termKey,
} from "./scheduling-constraints.js";
import { fits, type UnfitReasons } from "./unfit-reason.js";

/** What a pod lacks on a node. */
export type Filter = (node: NodeLoad) => UnfitReasons;

/** A filter that depends on running pods, as if the pods in `gone` had left the node. */
export type RelationFilter = (node: NodeLoad, gone?: RemovedPods) => UnfitReasons;

const portsTaken: UnfitReasons = [{ kind: "ports" }];

/**
 * The filters for one pod, in the order of kube-scheduler: a node gets the reasons of the first filter that it fails. What is the same
 * for all nodes is computed once, here.
 */
export function filtersFor(
  constraints: SchedulingConstraints,
  state: ClusterState,
  volumes: Filter,
  /** The domain of taints that the cluster itself sets. */
  domain: string,
): readonly Filter[] {
  const { view, spec } = constraints;
  return [
    ({ view: node }) => {
      if (!node.isUnschedulable) return fits;
      const taint = { key: `node.${domain}/unschedulable`, effect: "NoSchedule" };
      return untoleratedTaint([taint], spec.tolerations ?? [], ["NoSchedule"]) === undefined
        ? fits
        : [{ kind: "unschedulable" }];
    },
    ({ view: node }) => {
      const taint = untoleratedTaint(node.taints, spec.tolerations ?? [], ["NoSchedule", "NoExecute"]);
      return taint === undefined ? fits : [{ kind: "taint", taint }];
    },
    ({ view: node }) => (isSelected(spec, node) ? fits : [{ kind: "nodeAffinity" }]),
    ({ hostPorts }) => takenPorts(view, hostPorts),
    (node) => missingAmounts(view, state.nominations.amountsFor(view, node)),
    volumes,
  ];
}

/** The filters that follow: inter-pod affinity, anti-affinity and topology spread. */
export function relationFiltersFor(
  constraints: SchedulingConstraints,
  state: ClusterState,
): readonly RelationFilter[] {
  const isSpread = constraints.spread.some(({ isRequired }) => isRequired);
  return [...(isSpread ? [spreadFilter(constraints, state)] : []), ...podAffinityFilters(constraints, state)];
}

/** Also used to find the victims of preemption, as is `missingAmounts`. */
export function takenPorts({ hostPorts }: PodView, taken: NodeLoad["hostPorts"]): UnfitReasons {
  return taken.hasAny(hostPorts) ? portsTaken : fits;
}

export function missingAmounts({ requests }: PodView, { view, requested, pods }: Amounts): UnfitReasons {
  return shortages(requests, view.allocatable, { pods: pods.size, requested }).map(({ resource }) =>
    resource === "pods" ? { kind: "podsMax" } : { kind: "resource", resource },
  );
}

function spreadFilter(constraints: SchedulingConstraints, state: ClusterState): RelationFilter {
  const required = constraints.spread.filter(({ isRequired }) => isRequired);
  const eligible = state.nodes.filter(({ view }) => isEligible(constraints, view, required));
  const perDomain = required.map((constraint) => {
    const perNode = state.perNode(constraint);
    const counts = new Map<string, number>();
    for (const { view } of eligible) {
      const domain = view.labels[constraint.topologyKey] ?? "";
      counts.set(domain, (counts.get(domain) ?? 0) + (perNode.get(view.name) ?? 0));
    }
    const isShort = counts.size < constraint.minDomains;
    return { constraint, counts, least: isShort ? 0 : Math.min(...counts.values()) };
  });
  return ({ view }, gone) => {
    for (const { constraint, counts, least } of perDomain) {
      const domain = view.labels[constraint.topologyKey];
      if (domain === undefined) {
        return [{ kind: "spreadLabel" }];
      }
      const self = isInGroup(constraint, constraints.view) ? 1 : 0;
      const count = (counts.get(domain) ?? 0) - countIn(constraint, gone);
      if (count + self - Math.min(least, count) > constraint.maxSkew) {
        return [{ kind: "spread" }];
      }
    }
    return fits;
  };
}

/** Whether the node counts for spreading: not if something other than taints excludes the pod. */
function isEligible(
  { spec }: SchedulingConstraints,
  node: NodeLoad["view"],
  constraints: readonly SpreadConstraint[],
): boolean {
  return (
    constraints.every(({ topologyKey }) => node.labels[topologyKey] !== undefined) && isSelected(spec, node)
  );
}

function podAffinityFilters(constraints: SchedulingConstraints, state: ClusterState): RelationFilter[] {
  return [nearFilter, apartFilter, existingAntiAffinityFilter].flatMap(
    (filter) => filter(constraints, state) ?? [],
  );
}

/** The pod's own affinity; undefined if it has none. */
function nearFilter(
  { affinity, view: own }: SchedulingConstraints,
  state: ClusterState,
): RelationFilter | undefined {
  if (affinity.length === 0) return undefined;
  const wanted = affinity.map((term) => ({
    term,
    ...domainsOf(term.topologyKey, state.perNode(term), state),
  }));
  // The first pod of a group that wants to be near itself may run anywhere.
  const mayBeFirst = wanted.every(({ term }) => isInGroup(term, own));
  return ({ view }, gone) => {
    const isFirst = mayBeFirst && wanted.every(({ term, total }) => total === countIn(term, gone));
    const isNear = wanted.every(({ term, domains }) => {
      const domain = view.labels[term.topologyKey];
      return domain !== undefined && (isFirst || (domains.get(domain) ?? 0) > countIn(term, gone));
    });
    return isNear ? fits : [{ kind: "podAffinity" }];
  };
}

/** The pod's own anti-affinity; undefined if it has none. */
function apartFilter(
  { antiAffinity }: SchedulingConstraints,
  state: ClusterState,
): RelationFilter | undefined {
  if (antiAffinity.length === 0) return undefined;
  const avoided = antiAffinity.map((term) => ({
    term,
    ...domainsOf(term.topologyKey, state.perNode(term), state),
  }));
  return ({ view }, gone) =>
    avoided.some(
      ({ term, domains }) => (domains.get(view.labels[term.topologyKey] ?? "") ?? 0) > countIn(term, gone),
    )
      ? [{ kind: "podAntiAffinity" }]
      : fits;
}

/** Anti-affinity of running pods against this one; undefined if there is none. */
function existingAntiAffinityFilter(
  { view: own }: SchedulingConstraints,
  state: ClusterState,
): RelationFilter | undefined {
  const existingAntiAffinity = [...state.existingAntiAffinity.about(own)].map(({ term, perNode }) => ({
    term,
    ...domainsOf(term.topologyKey, perNode, state),
  }));
  if (existingAntiAffinity.length === 0) return undefined;
  const countWith = (term: AffinityTerm, gone: RemovedPods | undefined): number =>
    gone?.countOf(`with ${termKey(term)}`, (pod) =>
      state.termsOf(pod.key).some((each) => isSameTerm(each, term)),
    ) ?? 0;
  return ({ view }, gone) =>
    existingAntiAffinity.some(
      ({ term, domains }) => (domains.get(view.labels[term.topologyKey] ?? "") ?? 0) > countWith(term, gone),
    )
      ? [{ kind: "existingAntiAffinity" }]
      : fits;
}

function countIn(group: PodGroup, gone: RemovedPods | undefined): number {
  return gone?.countOf(`in ${group.key}`, (pod) => isInGroup(group, pod)) ?? 0;
}

/** How many of the pods counted by node are in each domain of a topology. */
export function domainsOf(
  topologyKey: string,
  perNode: ReadonlyMap<string, number>,
  state: ClusterState,
): { readonly domains: ReadonlyMap<string, number>; readonly total: number } {
  const domains = new Map<string, number>();
  let total = 0;
  for (const [name, count] of perNode) {
    const domain = state.node(name)?.view.labels[topologyKey];
    if (domain === undefined) continue;
    domains.set(domain, (domains.get(domain) ?? 0) + count);
    total += count;
  }
  return { domains, total };
}
