import { type LabelSelector, storedLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import type { Pod, PodAffinityTerm, PodSpec } from "../../apis/gen/core-v1.js";
import type { PodView } from "../pods/pod-view.js";

/** The pods that a term, or a spread constraint, applies to: the selected ones of some namespaces. */
export interface PodGroup {
  /** Equal groups have equal keys. */
  readonly key: string;
  readonly selector: LabelSelector;
  /** Undefined means all namespaces. */
  readonly namespaces: readonly string[] | undefined;
}

export interface AffinityTerm extends PodGroup {
  readonly topologyKey: string;
}

export interface Weighted<T> {
  readonly weight: number;
  readonly term: T;
}

export interface SpreadConstraint extends PodGroup {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly isRequired: boolean;
}

/** What a pod requires of its node, read once for all nodes. */
export interface SchedulingConstraints {
  readonly view: PodView;
  readonly spec: PodSpec;
  readonly labels: Readonly<Record<string, string>>;
  readonly affinity: readonly AffinityTerm[];
  readonly antiAffinity: readonly AffinityTerm[];
  readonly preferredPods: readonly Weighted<AffinityTerm>[];
  readonly spread: readonly SpreadConstraint[];
}

/** Labels of namespaces, for terms that select them. */
export type NamespaceLabels = () => Iterable<{
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}>;

export function constraintsOf(view: PodView, pod: Pod, namespaces: NamespaceLabels): SchedulingConstraints {
  const { spec } = pod;
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const termOf = (term: PodAffinityTerm) => affinityTerm(term, view.namespace, namespaces);
  return {
    view,
    spec,
    labels: view.labels,
    affinity: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(termOf),
    antiAffinity: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(termOf),
    preferredPods: [
      ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => ({
        weight: each.weight,
        term: termOf(each.podAffinityTerm),
      })),
      ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => ({
        weight: -each.weight,
        term: termOf(each.podAffinityTerm),
      })),
    ],
    spread: (spec.topologySpreadConstraints ?? []).map((constraint) => ({
      ...group(storedLabelSelector(constraint.labelSelector), [view.namespace]),
      topologyKey: constraint.topologyKey,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? 1,
      isRequired: constraint.whenUnsatisfiable !== "ScheduleAnyway",
    })),
  };
}

/** The required terms by which a running pod keeps others away. */
export function antiAffinityOf(
  view: PodView,
  pod: Pod,
  namespaces: NamespaceLabels,
): readonly AffinityTerm[] {
  const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map((term) => affinityTerm(term, view.namespace, namespaces));
}

function affinityTerm(
  term: PodAffinityTerm,
  ownNamespace: string,
  namespaces: NamespaceLabels,
): AffinityTerm {
  const { labelSelector, topologyKey, namespaceSelector } = term;
  const named = term.namespaces ?? [];
  const selected = namespaceSelector && storedLabelSelector(namespaceSelector);
  const own = named.length === 0 && selected === undefined ? [ownNamespace] : named;
  const chosen =
    selected === undefined
      ? own
      : selected.isEmpty()
        ? undefined
        : [
            ...own,
            ...[...namespaces()].filter(({ labels }) => selected.matches(labels)).map(({ name }) => name),
          ];
  return { ...group(storedLabelSelector(labelSelector), chosen), topologyKey };
}

function group(selector: LabelSelector, namespaces: readonly string[] | undefined): PodGroup {
  const text = selector.isNothing() ? "!" : selector.toString();
  return { key: JSON.stringify([text, namespaces]), selector, namespaces };
}

/** Equal terms have equal keys. */
export function termKey({ topologyKey, key }: AffinityTerm): string {
  return `${topologyKey} ${key}`;
}

export function isSameTerm(a: AffinityTerm, b: AffinityTerm): boolean {
  return a.key === b.key && a.topologyKey === b.topologyKey;
}

export function isInGroup(
  { selector, namespaces }: PodGroup,
  pod: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> },
): boolean {
  return (namespaces === undefined || namespaces.includes(pod.namespace)) && selector.matches(pod.labels);
}
