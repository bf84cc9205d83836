import { type FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { StatefulSet } from "../../gen/apps-v1.js";

export function validateStatefulSet({ spec }: StatefulSet, options: PodValidationOptions): FieldError[] {
  return validatePodTemplateSpec(spec.template, FieldPath.of("spec", "template"), options);
}

export function validateStatefulSetUpdate(
  object: StatefulSet,
  _old: StatefulSet,
  options: PodValidationOptions,
): FieldError[] {
  return validateStatefulSet(object, options);
}

export function validateStatefulSetStatus(_status: StatefulSet["status"]): FieldError[] {
  return [];
}

export function validateStatefulSetStatusUpdate(object: StatefulSet, _old: StatefulSet): FieldError[] {
  return validateStatefulSetStatus(object.status);
}
