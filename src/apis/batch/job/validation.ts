import { type FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { Job, JobStatus } from "../../gen/batch-v1.js";

export function validateNewJob({ spec }: Job, options: PodValidationOptions): FieldError[] {
  return validatePodTemplateSpec(spec.template, FieldPath.of("spec", "template"), options);
}

export interface JobUpdateOptions {
  readonly allowMutableSchedulingDirectives: boolean;
}

export function jobUpdateOptions(_object: Job, _old: Job): JobUpdateOptions {
  return { allowMutableSchedulingDirectives: false };
}

export function validateJobUpdate(
  object: Job,
  _old: Job,
  _update: JobUpdateOptions,
  options: PodValidationOptions,
): FieldError[] {
  return validateNewJob(object, options);
}

export function validateJobStatusUpdate(_status: JobStatus): FieldError[] {
  return [];
}
