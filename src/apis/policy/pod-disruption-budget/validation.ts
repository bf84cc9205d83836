import { type FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "../../gen/policy-v1.js";

export function validatePodDisruptionBudget({ spec }: PodDisruptionBudget): FieldError[] {
  return validateLabelSelector(spec.selector, FieldPath.of("spec", "selector"));
}

export function validatePodDisruptionBudgetStatus(
  _status: PodDisruptionBudgetStatus,
  _old: PodDisruptionBudgetStatus,
  _version: string | undefined,
): FieldError[] {
  return [];
}
