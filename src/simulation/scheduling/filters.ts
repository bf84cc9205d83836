import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { shortages } from "../pods/node-resources.js";
import { isSelected } from "../pods/node-selection.js";
import { untoleratedTaint } from "../pods/tolerations.js";
import type { ClusterState } from "./cluster-state.js";
import type { GonePods } from "./gone-pods.js";
import type { Amounts, NodeLoad } from "./node-load.js";
import {
  type AffinityTerm,
  isInGroup,
  isSameTerm,
  type PodGroup,
  type SchedulingConstraints,
  type SpreadConstraint,
  termKey,
} from "./scheduling-constraints.js";

/** Why a pod cannot run on a node, in the words of Kubernetes' scheduler; one reason for each thing that it lacks. */
export type Filter = (node: NodeLoad) => readonly string[];

/** The same, because of pods that run already, as if those of the node that are in `gone` had left. */
export type RelationFilter = (node: NodeLoad, gone?: GonePods) => readonly string[];

const fits: readonly string[] = [];
export const portsTaken: readonly string[] = ["node(s) didn't have free ports for the requested pod ports"];

/** Reasons that would remain if other pods left. */
const unresolvable = [
  "node(s) were unschedulable",
  "node(s) didn't match the requested node name",
  "node(s) had taint",
  "node(s) had untolerated taint",
  "node(s) didn't match Pod's node affinity/selector",
  "node(s) had volume node affinity conflict",
  "node(s) didn't find available persistent volumes to bind",
  "node(s) didn't match pod topology spread constraints (missing required label)",
  "node(s) didn't match pod affinity rules",
];

export function isResolvable(reasons: readonly string[]): boolean {
  return !reasons.some((reason) => unresolvable.some((start) => reason.startsWith(start)));
}

export interface FilterSettings {
  readonly domain: string;
  /** Messages about taints changed in 1.24 and 1.34. */
  readonly level: ApiLevel;
}

/**
 * The checks of one pod, in the order of the real scheduler: a node gets the reasons of the first check that it fails. What is the same for
 * all nodes is computed here, once.
 */
export function filtersFor(
  constraints: SchedulingConstraints,
  state: ClusterState,
  volumes: (node: NodeLoad) => readonly string[],
  settings: FilterSettings,
): readonly Filter[] {
  const { view, spec } = constraints;
  return [
    ({ view: node }) => {
      if (!node.isUnschedulable) return fits;
      const taint = { key: `node.${settings.domain}/unschedulable`, effect: "NoSchedule" };
      return untoleratedTaint([taint], spec.tolerations ?? [], ["NoSchedule"]) === undefined
        ? fits
        : ["node(s) were unschedulable"];
    },
    ({ view: node }) => {
      const taint = untoleratedTaint(node.taints, spec.tolerations ?? [], ["NoSchedule", "NoExecute"]);
      if (taint === undefined) return fits;
      if (isAtLeast(settings.level, "1.34")) return ["node(s) had untolerated taint(s)"];
      const text = `{${taint.key}: ${taint.value ?? ""}}`;
      return isAtLeast(settings.level, "1.24")
        ? [`node(s) had untolerated taint ${text}`]
        : [`node(s) had taint ${text}, that the pod didn't tolerate`];
    },
    ({ view: node }) =>
      isSelected(spec, node) ? fits : ["node(s) didn't match Pod's node affinity/selector"],
    ({ hostPorts }) => (hostPorts.hasAny(view.hostPorts) ? portsTaken : fits),
    (node) => insufficient(view.requests, state.nominations.amountsFor(view, node)),
    volumes,
  ];
}

/** The checks that come after these: where a pod may run beside those that run already. */
export function relationFiltersFor(
  constraints: SchedulingConstraints,
  state: ClusterState,
): readonly RelationFilter[] {
  const isSpread = constraints.spread.some(({ isRequired }) => isRequired);
  return [...(isSpread ? [spreadFilter(constraints, state)] : []), ...podAffinityFilters(constraints, state)];
}

/** Also used to find the victims of preemption. */
export function insufficient(
  requests: ReadonlyMap<string, number>,
  { view, requested, pods }: Amounts,
): readonly string[] {
  return shortages(requests, view.allocatable, { pods: pods.size, requested }).map(({ resource }) =>
    resource === "pods" ? "Too many pods" : `Insufficient ${resource}`,
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
        return ["node(s) didn't match pod topology spread constraints (missing required label)"];
      }
      const self = isInGroup(constraint, constraints.view) ? 1 : 0;
      const count = (counts.get(domain) ?? 0) - countIn(constraint, gone);
      if (count + self - Math.min(least, count) > constraint.maxSkew) {
        return ["node(s) didn't match pod topology spread constraints"];
      }
    }
    return fits;
  };
}

/** Whether the node counts: not if something other than taints keeps the pod away. */
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
  const filters: RelationFilter[] = [];
  const wanted = constraints.affinity.map((term) => ({
    term,
    ...domainsOf(term.topologyKey, state.perNode(term), state),
  }));
  if (wanted.length > 0) {
    // The first pod of a group that wants to be near itself may run anywhere.
    const mayBeFirst = wanted.every(({ term }) => isInGroup(term, constraints.view));
    filters.push(({ view }, gone) => {
      const isFirst = mayBeFirst && wanted.every(({ term, total }) => total === countIn(term, gone));
      const isNear = wanted.every(({ term, domains }) => {
        const domain = view.labels[term.topologyKey];
        return domain !== undefined && (isFirst || (domains.get(domain) ?? 0) > countIn(term, gone));
      });
      return isNear ? fits : ["node(s) didn't match pod affinity rules"];
    });
  }
  const avoided = constraints.antiAffinity.map((term) => ({
    term,
    ...domainsOf(term.topologyKey, state.perNode(term), state),
  }));
  if (avoided.length > 0) {
    filters.push(({ view }, gone) =>
      avoided.some(
        ({ term, domains }) => (domains.get(view.labels[term.topologyKey] ?? "") ?? 0) > countIn(term, gone),
      )
        ? ["node(s) didn't match pod anti-affinity rules"]
        : fits,
    );
  }
  const keptAway = [...state.keepAway.about(constraints.view)].map(({ term, perNode }) => ({
    term,
    ...domainsOf(term.topologyKey, perNode, state),
  }));
  if (keptAway.length > 0) {
    const countWith = (term: AffinityTerm, gone: GonePods | undefined): number =>
      gone?.countOf(`with ${termKey(term)}`, (pod) =>
        state.termsOf(pod.key).some((each) => isSameTerm(each, term)),
      ) ?? 0;
    filters.push(({ view }, gone) =>
      keptAway.some(
        ({ term, domains }) =>
          (domains.get(view.labels[term.topologyKey] ?? "") ?? 0) > countWith(term, gone),
      )
        ? ["node(s) didn't satisfy existing pods anti-affinity rules"]
        : fits,
    );
  }
  return filters;
}

function countIn(group: PodGroup, gone: GonePods | undefined): number {
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
