import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import {
  checksSelectorValues,
  validateLabelSelector,
} from "../../../apimachinery/validation/label-selector.js";
import { validateConditions } from "../../checks/condition-validation.js";
import { validateAtMost100Percent, validatePositiveIntOrPercent } from "../../checks/int-or-percent.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
} from "../../gen/policy-v1.js";
import { policyV1Types } from "../v1/types.js";

const statusRules = fieldRules<PodDisruptionBudgetStatus>(policyV1Types, "PodDisruptionBudgetStatus");
const specRules = fieldRules<PodDisruptionBudgetSpec>(policyV1Types, "PodDisruptionBudgetSpec");

export function validatePodDisruptionBudget(
  { spec }: PodDisruptionBudget,
  level: ApiLevel,
  old?: PodDisruptionBudget,
): FieldError[] {
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(invalid(path, printSpec(spec), "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const name of ["minAvailable", "maxUnavailable"] as const) {
    const amount = spec[name];
    if (amount === undefined) continue;
    append(errors, [
      ...validatePositiveIntOrPercent(amount, path.child(name)),
      ...validateAtMost100Percent(amount, path.child(name)),
    ]);
  }
  const checksValues = checksSelectorValues(level, [old?.spec.selector]);
  append(errors, validateLabelSelector(spec.selector, path.child("selector"), checksValues));
  return [...errors, ...specRules.check(spec, path, "unhealthyPodEvictionPolicy")];
}

/** Kubernetes prints the addresses of pointers. */
function printSpec({ selector }: PodDisruptionBudgetSpec): PrintedValue {
  const amount = "(*intstr.IntOrString)(0xc000000000)";
  const pointer = selector === undefined ? "nil" : "0xc000000000";
  return new PrintedValue(
    `policy.PodDisruptionBudgetSpec{MinAvailable:${amount}, Selector:(*v1.LabelSelector)(${pointer}), MaxUnavailable:${amount}}`,
  );
}

/** `version` is the request's: v1beta1 never checked the counts. */
export function validatePodDisruptionBudgetStatus(
  status: PodDisruptionBudgetStatus,
  version: string | undefined,
): FieldError[] {
  const path = FieldPath.of("status");
  const errors = validateConditions(status.conditions ?? [], path.child("conditions"));
  if (version === "v1beta1") return errors;
  return [
    ...errors,
    ...statusRules.check(
      status,
      path,
      "disruptionsAllowed",
      "currentHealthy",
      "desiredHealthy",
      "expectedPods",
    ),
  ];
}
