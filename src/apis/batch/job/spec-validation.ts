import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { JobSpec } from "../../gen/batch-v1.js";

/** Bounds the length of `status.completedIndexes`. */
const indexedParallelismMax = 100_000;

const specRules = fieldRules<JobSpec>("batch/v1.JobSpec");

/** Rules shared by jobs and the job templates of cron jobs. Excludes the selector, which templates lack. */
export function validateJobSpecParts(
  spec: JobSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const templatePath = path.child("template");
  return [
    ...specRules.check(spec, path, "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit"),
    ...specRules.check(spec, path, "ttlSecondsAfterFinished", "completionMode"),
    ...validateCompletionMode(spec, path),
    ...validatePodTemplateSpec(spec.template, templatePath, options),
    ...validateRestartPolicy(
      spec.template.spec.restartPolicy ?? "",
      templatePath.child("spec", "restartPolicy"),
    ),
  ];
}

function validateCompletionMode(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completionMode, completions, parallelism = 0 } = spec;
  if (completionMode !== "Indexed") return [];
  const errors: FieldError[] = [];
  if (completions === undefined) {
    errors.push(required(path.child("completions"), "when completion mode is Indexed"));
  }
  if (parallelism > indexedParallelismMax) {
    const why = `must be less than or equal to ${indexedParallelismMax} when completion mode is Indexed`;
    errors.push(invalid(path.child("parallelism"), parallelism, why));
  }
  return errors;
}

/** The pod default, `Always`, is invalid for jobs, so it counts as unset. */
function validateRestartPolicy(policy: string, path: FieldPath): FieldError[] {
  if (policy === "OnFailure" || policy === "Never") return [];
  return policy === "" || policy === "Always"
    ? [required(path, 'valid values: "OnFailure", "Never"')]
    : [notSupported(path, policy, ["OnFailure", "Never"])];
}
