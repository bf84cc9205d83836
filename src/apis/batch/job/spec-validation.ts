import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { validateDomainPrefixedPath } from "../../checks/domain-prefixed-path.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { JobSpec } from "../../gen/batch-v1.js";
import { batchV1Types } from "../v1/types.js";
import { validateFailurePolicy, validateSuccessPolicy } from "./policy-validation.js";

/** Bounds the length of `status.completedIndexes`. */
const indexedParallelismMax = 100_000;
const failedIndexesMax = 100_000;
/** With more completions, the indexes listed in the status must be few. */
const manyCompletions = 100_000;
const highCompletionsMax = 10_000;

const specRules = fieldRules<JobSpec>(batchV1Types, "JobSpec");

/** Rules shared by jobs and the job templates of cron jobs. Excludes the selector, which templates lack. */
export function validateJobSpecParts(
  spec: JobSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const templatePath = path.child("template");
  return [
    ...specRules.check(spec, path, "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit"),
    ...specRules.check(spec, path, "ttlSecondsAfterFinished"),
    ...validateIndexLimits(spec, path),
    // Names a controller other than the job controller, such as `example.com/controller`.
    ...(spec.managedBy === undefined
      ? []
      : validateDomainPrefixedPath(path.child("managedBy"), spec.managedBy)),
    ...specRules.check(spec, path, "managedBy", "completionMode"),
    ...validateCompletionMode(spec, path),
    ...validateFailurePolicy(spec, path.child("podFailurePolicy"), options.level),
    ...validateSuccessPolicy(spec, path.child("successPolicy")),
    ...validateReplacementPolicy(spec, path.child("podReplacementPolicy")),
    ...validatePodTemplateSpec(spec.template, templatePath, options),
    ...validateRestartPolicy(
      spec.template.spec.restartPolicy ?? "",
      templatePath.child("spec", "restartPolicy"),
      spec,
    ),
  ];
}

function validateCompletionMode(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completionMode, completions, parallelism = 0 } = spec;
  if (completionMode === undefined || completionMode === "NonIndexed")
    return validateNoIndexLimits(spec, path);
  if (completionMode !== "Indexed") return [];
  const errors: FieldError[] = [];
  if (completions === undefined) {
    errors.push(required(path.child("completions"), "when completion mode is Indexed"));
  }
  if (parallelism > indexedParallelismMax) {
    const why = `must be less than or equal to ${indexedParallelismMax} when completion mode is Indexed`;
    errors.push(invalid(path.child("parallelism"), parallelism, why));
  }
  const { maxFailedIndexes: failedMax, backoffLimitPerIndex } = spec;
  const failedPath = path.child("maxFailedIndexes");
  if (completions !== undefined && failedMax !== undefined && failedMax > completions) {
    errors.push(invalid(failedPath, failedMax, "must be less than or equal to completions"));
  }
  if (failedMax !== undefined && failedMax > failedIndexesMax) {
    errors.push(invalid(failedPath, failedMax, `must be less than or equal to ${failedIndexesMax}`));
  }
  if (completions === undefined || completions <= manyCompletions || backoffLimitPerIndex === undefined)
    return errors;
  const high = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  const most = `must be less than or equal to ${highCompletionsMax} ${high}`;
  if (failedMax === undefined) {
    errors.push(required(failedPath, `must be specified when completions is above ${manyCompletions}`));
  }
  if (parallelism > highCompletionsMax) errors.push(invalid(path.child("parallelism"), parallelism, most));
  if (failedMax !== undefined && failedMax > highCompletionsMax)
    errors.push(invalid(failedPath, failedMax, most));
  return errors;
}

/** Limits of failures per index. */
function validateIndexLimits(spec: JobSpec, path: FieldPath): FieldError[] {
  const { backoffLimitPerIndex, maxFailedIndexes } = spec;
  const errors: FieldError[] = [];
  if (backoffLimitPerIndex !== undefined) append(errors, specRules.check(spec, path, "backoffLimitPerIndex"));
  if (maxFailedIndexes === undefined) return errors;
  append(errors, specRules.check(spec, path, "maxFailedIndexes"));
  if (backoffLimitPerIndex === undefined) {
    errors.push(required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified"));
  }
  return errors;
}

/** For a job without `Indexed` completions. */
function validateNoIndexLimits(spec: JobSpec, path: FieldPath): FieldError[] {
  return (["backoffLimitPerIndex", "maxFailedIndexes"] as const).flatMap((name) => {
    const value = spec[name];
    return value === undefined ? [] : [invalid(path.child(name), value, "requires indexed completion mode")];
  });
}

function validateReplacementPolicy(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  path: FieldPath,
): FieldError[] {
  if (policy === undefined) return [];
  const supported = podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  return supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

/** The pod default, `Always`, is invalid for jobs, so it counts as unset. */
function validateRestartPolicy(policy: string, path: FieldPath, { podFailurePolicy }: JobSpec): FieldError[] {
  if (policy === "Never") return [];
  if (policy === "OnFailure") {
    if (podFailurePolicy === undefined) return [];
    return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
  }
  return policy === "" || policy === "Always"
    ? [required(path, 'valid values: "OnFailure", "Never"')]
    : [notSupported(path, policy, ["OnFailure", "Never"])];
}
