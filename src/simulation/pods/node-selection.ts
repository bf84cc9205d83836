import type { NodeSelectorRequirement, NodeSelectorTerm, Pod } from "../../apis/gen/core-v1.js";

/** A node, as selectors see it. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Whether the pod's node selector and required node affinity allow the node. */
export function isSelected({ nodeSelector = {}, affinity }: Pod["spec"], node: SelectableNode): boolean {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (
    Object.entries(nodeSelector).every(([key, value]) => node.labels[key] === value) &&
    (required === undefined || matchesAnyTerm(required.nodeSelectorTerms ?? [], node))
  );
}

/** Whether any of the terms selects the node. An empty term selects nothing. */
export function matchesAnyTerm(terms: readonly NodeSelectorTerm[], node: SelectableNode): boolean {
  return terms.some((term) => matchesTerm(term, node));
}

export function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { name, labels }: SelectableNode,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => matches(requirement, labels[requirement.key])) &&
    // Nodes can be selected by one field only.
    matchFields.every((requirement) => requirement.key === "metadata.name" && matches(requirement, name))
  );
}

function matches({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return isInteger(value) && Number(value) > Number(values[0]);
    case "Lt":
      return isInteger(value) && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function isInteger(value: string | undefined): value is string {
  return value !== undefined && /^-?\d+$/.test(value);
}
