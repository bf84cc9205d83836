import { type FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { DaemonSet } from "../../gen/apps-v1.js";

export function validateDaemonSet({ spec }: DaemonSet, options: PodValidationOptions): FieldError[] {
  return validatePodTemplateSpec(spec.template, FieldPath.of("spec", "template"), options);
}

export function validateDaemonSetUpdate(
  object: DaemonSet,
  _old: DaemonSet,
  options: PodValidationOptions,
): FieldError[] {
  return validateDaemonSet(object, options);
}

export function validateDaemonSetStatus(_status: DaemonSet["status"]): FieldError[] {
  return [];
}

export function validateDaemonSetStatusUpdate(object: DaemonSet, _old: DaemonSet): FieldError[] {
  return validateDaemonSetStatus(object.status);
}
