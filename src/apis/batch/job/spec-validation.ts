import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/field-error.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { JobSpec } from "../../gen/batch-v1.js";

/** Keeps `status.completedIndexes` short. */
const indexedParallelismMax = 100_000;

const specRules = fieldRules<JobSpec>("batch/v1.JobSpec");

/** What holds for a job and for the template of a cron job's jobs; not the selector, which the latter do not have. */
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

/** The default of pods, `Always`, is none for jobs, so it counts as not given. */
function validateRestartPolicy(policy: string, path: FieldPath): FieldError[] {
  if (policy === "OnFailure" || policy === "Never") return [];
  return policy === "" || policy === "Always"
    ? [required(path, 'valid values: "OnFailure", "Never"')]
    : [notSupported(path, policy, ["OnFailure", "Never"])];
}
