import { type FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { ReplicaSet } from "../../gen/apps-v1.js";

export function validateReplicaSet({ spec }: ReplicaSet, options: PodValidationOptions): FieldError[] {
  return validatePodTemplateSpec(spec.template, FieldPath.of("spec", "template"), options);
}

export function validateReplicaSetUpdate(
  object: ReplicaSet,
  _old: ReplicaSet,
  options: PodValidationOptions,
): FieldError[] {
  return validateReplicaSet(object, options);
}

export function validateReplicaSetStatus(_status: ReplicaSet["status"]): FieldError[] {
  return [];
}

export function validateReplicaSetStatusUpdate(object: ReplicaSet, _old: ReplicaSet): FieldError[] {
  return validateReplicaSetStatus(object.status);
}
