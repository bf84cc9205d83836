import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
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
    errors.push(invalid(path, printSpec(spec, level), "minAvailable and maxUnavailable cannot be both set"));
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
function printSpec(spec: PodDisruptionBudgetSpec, level: ApiLevel): PrintedValue {
  return printStruct("policy.PodDisruptionBudgetSpec", {
    MinAvailable: printPointer("intstr.IntOrString", spec.minAvailable),
    Selector: printPointer("v1.LabelSelector", spec.selector),
    MaxUnavailable: printPointer("intstr.IntOrString", spec.maxUnavailable),
    ...(isAtLeast(level, "1.26") && {
      UnhealthyPodEvictionPolicy: printPointer(
        "policy.UnhealthyPodEvictionPolicyType",
        spec.unhealthyPodEvictionPolicy,
      ),
    }),
  });
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
