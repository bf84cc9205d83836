import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  hasErrors,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import {
  type LabelSelectorObject,
  validateLabelSelector,
} from "../../../apimachinery/validation/label-selector.js";
import { validateLabelName } from "../../../apimachinery/validation/labels.js";
import { validateNamespaceName } from "../../../apimachinery/validation/object-name.js";
import { validateNodeSelector, validateNodeSelectorTerm } from "../../checks/node-selector.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  PodSchedulingGate,
  PodSpec,
  PreferredSchedulingTerm,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const termRules = fieldRules<PodAffinityTerm>(coreV1Types, "PodAffinityTerm");
const spreadRules = fieldRules<TopologySpreadConstraint>(coreV1Types, "TopologySpreadConstraint");
const preferenceRules = fieldRules<PreferredSchedulingTerm>(coreV1Types, "PreferredSchedulingTerm");
const weightedRules = fieldRules<WeightedPodAffinityTerm>(coreV1Types, "WeightedPodAffinityTerm");
const gateRules = fieldRules<PodSchedulingGate>(coreV1Types, "PodSchedulingGate");

export function validateAffinity(
  affinity: Affinity | undefined,
  path: FieldPath,
  options: Pick<PodValidationOptions, "allowWrongNodeSelectors" | "checksSelectorValues">,
): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  return [
    ...validateNodeAffinity(nodeAffinity, path.child("nodeAffinity"), options.allowWrongNodeSelectors),
    ...validatePodAffinity(podAffinity, path.child("podAffinity"), options.checksSelectorValues),
    ...validatePodAffinity(podAntiAffinity, path.child("podAntiAffinity"), options.checksSelectorValues),
  ];
}

function validateNodeAffinity(
  affinity: NodeAffinity | undefined,
  path: FieldPath,
  anyValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const {
    requiredDuringSchedulingIgnoredDuringExecution: hard,
    preferredDuringSchedulingIgnoredDuringExecution: soft,
  } = affinity ?? {};
  if (hard !== undefined) {
    append(
      errors,
      validateNodeSelector(hard, path.child("requiredDuringSchedulingIgnoredDuringExecution"), { anyValues }),
    );
  }
  for (const [index, term] of (soft ?? []).entries()) {
    const at = path.child("preferredDuringSchedulingIgnoredDuringExecution").index(index);
    append(errors, [
      ...preferenceRules.check(term, at, "weight"),
      ...validateNodeSelectorTerm(term.preference, at.child("preference"), true),
    ]);
  }
  return errors;
}

function validatePodAffinity(
  affinity: PodAffinity | undefined,
  path: FieldPath,
  checksValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const {
    requiredDuringSchedulingIgnoredDuringExecution: hard,
    preferredDuringSchedulingIgnoredDuringExecution: soft,
  } = affinity ?? {};
  for (const [index, term] of (hard ?? []).entries()) {
    const at = path.child("requiredDuringSchedulingIgnoredDuringExecution").index(index);
    append(errors, validatePodAffinityTerm(term, at, checksValues));
  }
  for (const [index, weighted] of (soft ?? []).entries()) {
    const at = path.child("preferredDuringSchedulingIgnoredDuringExecution").index(index);
    append(errors, [
      ...weightedRules.check(weighted, at, "weight"),
      ...validatePodAffinityTerm(weighted.podAffinityTerm, at.child("podAffinityTerm"), checksValues),
    ]);
  }
  return errors;
}

function validatePodAffinityTerm(
  term: PodAffinityTerm,
  path: FieldPath,
  checksValues: boolean,
): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey } = term;
  const errors = [
    ...validateLabelSelector(labelSelector, path.child("labelSelector"), checksValues),
    ...validateLabelSelector(namespaceSelector, path.child("namespaceSelector"), checksValues),
    ...errorsOfEach(namespaces, (name) =>
      problemsAt(path.child("namespace"), name, validateNamespaceName(name, false)),
    ),
  ];
  return [
    ...errors,
    ...validateTermKeys(term, path),
    ...termRules.check(term, path, "topologyKey"),
    ...validateLabelName(topologyKey, path.child("topologyKey")),
  ];
}

/** `matchLabelKeys` and `mismatchLabelKeys`: on creation, they are merged into the selector. */
function validateTermKeys(
  { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector }: PodAffinityTerm,
  path: FieldPath,
): FieldError[] {
  if (matchLabelKeys.length === 0 && mismatchLabelKeys.length === 0) return [];
  const refused = new Set(mismatchLabelKeys);
  const keysPath = path.child("matchLabelKeys");
  return [
    ...validateLabelKeys(matchLabelKeys, labelSelector, keysPath),
    ...validateLabelKeys(mismatchLabelKeys, labelSelector, path.child("mismatchLabelKeys")),
    ...validateMergedKeys(matchLabelKeys, labelSelector, path),
    ...errorsOfEach(matchLabelKeys, (key, index) =>
      refused.has(key)
        ? [invalid(keysPath.index(index), key, "exists in both matchLabelKeys and mismatchLabelKeys")]
        : [],
    ),
  ];
}

function validateLabelKeys(
  keys: readonly string[],
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return errorsOfEach(keys, (key, index) => validateLabelName(key, path.index(index)));
}

/** A merged key is in the selector once, or twice if the client's selector has it too. */
function validateMergedKeys(
  keys: readonly string[],
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
): FieldError[] {
  const places = new Map(keys.map((key, index) => [key, index]));
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  return errorsOfEach(selector?.matchExpressions, ({ key }) => {
    const index = places.get(key);
    const isRepeated = seen.has(key);
    seen.add(key);
    if (index === undefined || !isRepeated) return [];
    return [invalid(path.index(index), key, "exists in both matchLabelKeys and labelSelector")];
  });
}

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const keyOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string =>
    JSON.stringify([topologyKey, whenUnsatisfiable]);
  const lastPlaces = new Map((constraints ?? []).map((constraint, index) => [keyOf(constraint), index]));
  return errorsOfEach(constraints, (constraint, index) => {
    const { topologyKey, whenUnsatisfiable } = constraint;
    const at = path.index(index);
    const errors = spreadRules.check(constraint, at, "maxSkew", "topologyKey", "whenUnsatisfiable");
    if (lastPlaces.get(keyOf(constraint)) !== index) {
      const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
      errors.push(duplicate(at.child("{topologyKey, whenUnsatisfiable}"), pair));
    }
    return isAtLeast(options.level, "1.24")
      ? [...errors, ...validateSpreadOptions(constraint, at, options)]
      : errors;
  });
}

function validateSpreadOptions(
  constraint: TopologySpreadConstraint,
  path: FieldPath,
  { spreadKeysAreMerged, allowWrongSpreadKeys, allowWrongSpreadSelectors }: PodValidationOptions,
): FieldError[] {
  const { minDomains, whenUnsatisfiable, labelSelector } = constraint;
  const errors = spreadRules.check(constraint, path, "minDomains");
  if (minDomains !== undefined && whenUnsatisfiable !== "DoNotSchedule") {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    errors.push(invalid(path.child("minDomains"), minDomains, why));
  }
  return [
    ...errors,
    ...spreadRules.check(constraint, path, "nodeAffinityPolicy", "nodeTaintsPolicy"),
    ...(allowWrongSpreadKeys ? [] : validateSpreadKeys(constraint, path, spreadKeysAreMerged)),
    ...(allowWrongSpreadSelectors
      ? []
      : validateLabelSelector(labelSelector, path.child("labelSelector"), true)),
  ];
}

function validateSpreadKeys(
  { matchLabelKeys = [], labelSelector }: TopologySpreadConstraint,
  path: FieldPath,
  areMerged: boolean,
): FieldError[] {
  if (matchLabelKeys.length === 0) return [];
  const keysPath = path.child("matchLabelKeys");
  if (areMerged) {
    return [
      ...validateLabelKeys(matchLabelKeys, labelSelector, keysPath),
      ...validateMergedKeys(matchLabelKeys, labelSelector, keysPath),
    ];
  }
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  const why = "must not be specified when labelSelector is not set";
  return [
    ...(labelSelector === undefined ? [forbidden(keysPath, why)] : []),
    ...errorsOfEach(matchLabelKeys, (key, index) => [
      ...validateLabelName(key, keysPath.index(index)),
      ...(selected.has(key)
        ? [invalid(keysPath.index(index), key, "exists in both matchLabelKeys and labelSelector")]
        : []),
    ]),
  ];
}

export function hasWrongSpreadKeys(spec: PodSpec | undefined, areMerged: boolean): boolean {
  return (spec?.topologySpreadConstraints ?? []).some((constraint) =>
    hasErrors(() => validateSpreadKeys(constraint, FieldPath.of(), areMerged)),
  );
}

export function hasWrongSpreadSelectors(spec: PodSpec | undefined): boolean {
  return (spec?.topologySpreadConstraints ?? []).some(({ labelSelector }) =>
    hasErrors(() => validateLabelSelector(labelSelector, FieldPath.of(), true)),
  );
}

/** What a pod waits for before it is scheduled. */
export function validateSchedulingGates({ schedulingGates }: PodSpec, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(schedulingGates, ({ name }, index) => {
    const at = path.index(index);
    const errors = gateRules.checkValue("name", name, at);
    if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    return errors;
  });
}
