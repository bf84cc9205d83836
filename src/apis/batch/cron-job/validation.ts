import { type FieldError, FieldPath } from "../../../apimachinery/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { CronJob } from "../../gen/batch-v1.js";

export function validateCronJob({ spec }: CronJob, options: PodValidationOptions): FieldError[] {
  const path = FieldPath.of("spec", "jobTemplate", "spec", "template");
  return validatePodTemplateSpec(spec.jobTemplate.spec.template, path, options);
}

export function validateCronJobUpdate(
  object: CronJob,
  _old: CronJob,
  options: PodValidationOptions,
): FieldError[] {
  return validateCronJob(object, options);
}
