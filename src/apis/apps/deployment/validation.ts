import { type FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { Deployment } from "../../gen/apps-v1.js";

export function validateDeployment({ spec }: Deployment, options: PodValidationOptions): FieldError[] {
  return validatePodTemplateSpec(spec.template, FieldPath.of("spec", "template"), options);
}

export function validateDeploymentUpdate(
  object: Deployment,
  _old: Deployment,
  options: PodValidationOptions,
): FieldError[] {
  return validateDeployment(object, options);
}

export function validateDeploymentStatus(_status: Deployment["status"]): FieldError[] {
  return [];
}

export function validateDeploymentStatusUpdate(object: Deployment, _old: Deployment): FieldError[] {
  return validateDeploymentStatus(object.status);
}
