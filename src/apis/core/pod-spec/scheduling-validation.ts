import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { validateLabelName } from "../../../apimachinery/validation/labels.js";
import { validateNamespaceName } from "../../../apimachinery/validation/object-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from "../../gen/core-v1.js";
import { validateNodeSelector, validateNodeSelectorTerm } from "../node-selector.js";
import { problemsAt } from "./value-checks.js";

const termRules = fieldRules<PodAffinityTerm>("core/v1.PodAffinityTerm");
const spreadRules = fieldRules<TopologySpreadConstraint>("core/v1.TopologySpreadConstraint");

export function validateAffinity(affinity: Affinity | undefined, path: FieldPath): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  return [
    ...validateNodeAffinity(nodeAffinity, path.child("nodeAffinity")),
    ...validatePodAffinity(podAffinity, path.child("podAffinity")),
    ...validatePodAffinity(podAntiAffinity, path.child("podAntiAffinity")),
  ];
}

function validateNodeAffinity(affinity: NodeAffinity | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const {
    requiredDuringSchedulingIgnoredDuringExecution: hard,
    preferredDuringSchedulingIgnoredDuringExecution: soft,
  } = affinity ?? {};
  if (hard !== undefined) {
    append(errors, validateNodeSelector(hard, path.child("requiredDuringSchedulingIgnoredDuringExecution")));
  }
  for (const [index, { weight, preference }] of (soft ?? []).entries()) {
    const at = path.child("preferredDuringSchedulingIgnoredDuringExecution").index(index);
    append(errors, [
      ...validateWeight(weight, at.child("weight")),
      ...validateNodeSelectorTerm(preference, at.child("preference")),
    ]);
  }
  return errors;
}

function validatePodAffinity(affinity: PodAffinity | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const {
    requiredDuringSchedulingIgnoredDuringExecution: hard,
    preferredDuringSchedulingIgnoredDuringExecution: soft,
  } = affinity ?? {};
  for (const [index, term] of (hard ?? []).entries()) {
    const at = path.child("requiredDuringSchedulingIgnoredDuringExecution").index(index);
    append(errors, validatePodAffinityTerm(term, at));
  }
  for (const [index, { weight, podAffinityTerm }] of (soft ?? []).entries()) {
    const at = path.child("preferredDuringSchedulingIgnoredDuringExecution").index(index);
    append(errors, [
      ...validateWeight(weight, at.child("weight")),
      ...validatePodAffinityTerm(podAffinityTerm, at.child("podAffinityTerm")),
    ]);
  }
  return errors;
}

function validateWeight(weight: number, path: FieldPath): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [invalid(path, weight, "must be in the range 1-100")];
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: FieldPath): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey } = term;
  const errors = [
    ...validateLabelSelector(labelSelector, path.child("labelSelector")),
    ...validateLabelSelector(namespaceSelector, path.child("namespaceSelector")),
    ...errorsOfEach(namespaces, (name) =>
      problemsAt(path.child("namespace"), name, validateNamespaceName(name, false)),
    ),
  ];
  return [
    ...errors,
    ...termRules.check(term, path, "topologyKey"),
    ...validateLabelName(topologyKey, path.child("topologyKey")),
  ];
}

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: FieldPath,
): FieldError[] {
  const keyOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string =>
    JSON.stringify([topologyKey, whenUnsatisfiable]);
  const lastPlaces = new Map((constraints ?? []).map((constraint, index) => [keyOf(constraint), index]));
  return errorsOfEach(constraints, (constraint, index) => {
    const { maxSkew, topologyKey, whenUnsatisfiable } = constraint;
    const at = path.index(index);
    const errors: FieldError[] = [];
    if (maxSkew <= 0) errors.push(invalid(at.child("maxSkew"), maxSkew, "must be greater than zero"));
    append(errors, spreadRules.check(constraint, at, "topologyKey", "whenUnsatisfiable"));
    if (lastPlaces.get(keyOf(constraint)) !== index) {
      const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
      errors.push(duplicate(at.child("{topologyKey, whenUnsatisfiable}"), pair));
    }
    return errors;
  });
}
