import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { printStringMap } from "../../checks/printed-values.js";
import type { NodeAffinity, NodeSelectorTerm, PodSpec } from "../../gen/core-v1.js";
import { printNodeSelectorTerm, printNodeSelectorTerms } from "../pod-spec/printed-values.js";

/**
 * Updates of a pod with scheduling gates: gates may be removed, and until the last one is gone, the choice of nodes may be narrowed.
 * Source: KEP-3521.
 */

export function validateOnlyRemovedGates(
  { schedulingGates = [] }: PodSpec,
  old: PodSpec,
  path: FieldPath,
): FieldError[] {
  const known = new Set((old.schedulingGates ?? []).map(({ name }) => name));
  return errorsOfEach(schedulingGates, ({ name }, index) => {
    if (known.has(name)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(path.index(index).child("name"), why)];
  });
}

export function validateNarrowedNodes(spec: PodSpec, old: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...validateAddedLabels(spec, old, path.child("nodeSelector")),
    ...validateNarrowedAffinity(
      spec.affinity?.nodeAffinity,
      old.affinity?.nodeAffinity,
      path.child("affinity", "nodeAffinity"),
    ),
  ];
}

function validateAddedLabels({ nodeSelector }: PodSpec, old: PodSpec, path: FieldPath): FieldError[] {
  const labels = nodeSelector ?? {};
  const isKept = Object.entries(old.nodeSelector ?? {}).every(
    ([label, value]) => Object.hasOwn(labels, label) && labels[label] === value,
  );
  if (isKept) return [];
  const why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [invalid(path, printStringMap(nodeSelector), why)];
}

function validateNarrowedAffinity(
  affinity: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
  path: FieldPath,
): FieldError[] {
  const before = termsOf(old);
  if (before.length === 0 || isDeepEqual(affinity, old)) return [];
  const terms = termsOf(affinity);
  const termsPath = path.child("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
  if (terms.length !== before.length) {
    const why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [invalid(termsPath, printNodeSelectorTerms(terms.length === 0 ? undefined : terms), why)];
  }
  return errorsOfEach(terms, (term, index) => {
    if (onlyAdds(term, before[index] ?? {})) return [];
    const why = "only additions are allowed (no mutations or deletions)";
    return [invalid(termsPath.index(index), printNodeSelectorTerm(term), why)];
  });
}

function termsOf(affinity: NodeAffinity | undefined): readonly NodeSelectorTerm[] {
  return affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

/** Adding to an empty term, which matches nothing, would make it match more. */
function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const { matchExpressions: labels = [], matchFields: fields = [] } = term;
  const { matchExpressions: oldLabels = [], matchFields: oldFields = [] } = old;
  if (oldLabels.length === 0 && oldFields.length === 0) return labels.length === 0 && fields.length === 0;
  return (
    isDeepEqual(labels.slice(0, oldLabels.length), oldLabels) &&
    isDeepEqual(fields.slice(0, oldFields.length), oldFields)
  );
}

/** `spec` with the node affinity of `old`. */
export function withNodeChoiceOf(spec: PodSpec, old: PodSpec): PodSpec {
  const { nodeAffinity: _chosen, ...others } = spec.affinity ?? {};
  const affinity = { ...others, nodeAffinity: old.affinity?.nodeAffinity };
  const isEmpty = Object.values(affinity).every((part) => part === undefined);
  return {
    ...spec,
    nodeSelector: old.nodeSelector,
    affinity: isEmpty && old.affinity === undefined ? undefined : affinity,
  };
}
