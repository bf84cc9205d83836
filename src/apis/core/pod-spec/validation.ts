import type { FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import type { PodSpec, PodTemplateSpec } from "../../gen/core-v1.js";
import type { PodLike, PodValidationOptions } from "./validation-options.js";

export { type PodLike, type PodValidationOptions, podValidationOptions } from "./validation-options.js";

/** `path` is that of the template: `spec.template`. */
export function validatePodTemplateSpec(
  template: PodTemplateSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return validatePodSpec(template.spec, template, path.child("spec"), options);
}

/** `owner` is the pod or the template the spec belongs to; its metadata decides some rules. */
export function validatePodSpec(
  _spec: PodSpec,
  _owner: PodLike,
  _path: FieldPath,
  _options: PodValidationOptions,
): FieldError[] {
  return [];
}
