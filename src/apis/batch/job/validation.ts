import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isDns1123Label } from "../../../apimachinery/validation/dns-names.js";
import {
  checksSelectorValues,
  validateLabelSelector,
} from "../../../apimachinery/validation/label-selector.js";
import { printInternal } from "../../checks/internal-form.js";
import { printLabelSelector, printStringMap } from "../../checks/printed-values.js";
import { matcherOf, validateSameSelector } from "../../checks/selector-validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Job, JobSpec } from "../../gen/batch-v1.js";
import { batchV1Types } from "../v1/types.js";
import { type TemplateUpdateRules, updatableTemplate } from "./scheduling-update.js";
import { validateJobSpecParts } from "./spec-validation.js";

const specPath = FieldPath.of("spec");
const specRules = fieldRules<JobSpec>(batchV1Types, "JobSpec");

export interface JobUpdateRules {
  /** Marks jobs whose pods are tracked by finalizers. Only a job created with it may have it. */
  readonly trackingAnnotation: string | undefined;
  /** What may change in a suspended job's template. */
  readonly templateUpdate: TemplateUpdateRules;
  /** Whether an indexed job may be scaled. */
  readonly allowElasticIndexed: boolean;
}

/** Labels that identify a job's pods. */
export interface JobLabels {
  readonly domain: string;
  /** Whether pods have the labels with the vendor's domain: older jobs only have the unprefixed ones. */
  readonly hasPrefixed: boolean;
}

export function validateNewJob(job: Job, labels: JobLabels, options: PodValidationOptions): FieldError[] {
  return [
    ...validateGeneratedSelector(job, labels),
    ...validateSpec(job.spec, options),
    ...validateHostnames(job),
  ];
}

/** Pods of an indexed job are named after it and their index. */
function validateHostnames({ metadata, spec }: Job): FieldError[] {
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== "Indexed" || completions <= 0) return [];
  const { name = "" } = metadata;
  const last = `${name}-${completions - 1}`;
  if (isDns1123Label(last).length === 0) return [];
  const why = `will not able to create pod with invalid DNS label: ${last}`;
  return [invalid(FieldPath.of("metadata", "name"), name, why)];
}

export function validateJobUpdate(
  job: Job,
  old: Job,
  rules: JobUpdateRules,
  labels: JobLabels,
  given: PodValidationOptions,
): FieldError[] {
  const { spec } = job;
  const checksValues = given.checksSelectorValues && checksSelectorValues(given.level, [old.spec.selector]);
  const options = { ...given, checksSelectorValues: checksValues };
  const errors = validateNewJob(job, labels, options);
  const { trackingAnnotation: tracking } = rules;
  if (
    tracking !== undefined &&
    job.metadata.annotations?.[tracking] !== undefined &&
    old.metadata.annotations?.[tracking] === undefined
  ) {
    const path = FieldPath.of("metadata", "annotations").key(tracking);
    errors.push(forbidden(path, "cannot add this annotation"));
  }
  const oldTemplate = updatableTemplate(old, spec.template, rules.templateUpdate);
  const { schemas } = options;
  const unchangedPolicy = (field: "podFailurePolicy" | "successPolicy", type: string): FieldError[] =>
    specRules.unchangedValue(field, spec[field], old.spec[field], specPath.child(field), (policy) =>
      printInternal(schemas, type, policy),
    );
  return [
    ...errors,
    // Kubernetes validates the spec of an updated job twice and reports every error twice.
    ...validateSpec(spec, options),
    ...validateCompletions(spec, old.spec, rules),
    ...validateSameSelector(specRules, spec, old.spec, specPath),
    ...specRules.unchangedValue(
      "template",
      spec.template,
      oldTemplate,
      specPath.child("template"),
      (template) => printInternal(schemas, "core/v1.PodTemplateSpec", template),
    ),
    ...specRules.unchanged(spec, old.spec, specPath, "completionMode"),
    ...unchangedPolicy("podFailurePolicy", "batch/v1.PodFailurePolicy"),
    ...specRules.unchanged(spec, old.spec, specPath, "backoffLimitPerIndex", "managedBy"),
    ...unchangedPolicy("successPolicy", "batch/v1.SuccessPolicy"),
  ];
}

/** An indexed job is scaled by changing its completions with its parallelism. */
function validateCompletions(
  spec: JobSpec,
  old: JobSpec,
  { allowElasticIndexed }: JobUpdateRules,
): FieldError[] {
  if (!allowElasticIndexed || spec.completionMode !== "Indexed") {
    return specRules.unchanged(spec, old, specPath, "completions");
  }
  const { completions, parallelism } = spec;
  if (completions === undefined || completions === old.completions || completions === parallelism) return [];
  return [
    invalid(
      specPath.child("completions"),
      completions,
      "can only be modified in tandem with spec.parallelism",
    ),
  ];
}

/** Checks client-sent values that may contradict the generated selector. */
function validateGeneratedSelector(
  { metadata, spec }: Job,
  { domain, hasPrefixed }: JobLabels,
): FieldError[] {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const { name = "", uid = "" } = metadata;
  const errors: FieldError[] = [];
  if (uid === "") errors.push(required(FieldPath.of("metadata", "uid"), ""));
  const expected: Record<string, string> = { "controller-uid": uid, "job-name": name };
  if (hasPrefixed) {
    expected[`batch.${domain}/controller-uid`] = uid;
    expected[`batch.${domain}/job-name`] = name;
  }
  for (const [key, value] of Object.entries(expected)) {
    const path = specPath.child("template", "metadata", "labels").key(key);
    const labels = spec.template.metadata.labels;
    const actual = labels?.[key];
    if (actual === undefined) errors.push(required(path, `must be '${value}'`));
    else if (actual !== value) errors.push(invalid(path, printStringMap(labels), `must be '${value}'`));
  }
  if (matcherOf(spec.selector)?.matches(expected) === false) {
    const printed = printLabelSelector(spec.selector);
    errors.push(invalid(specPath.child("selector"), printed, "`selector` not auto-generated"));
  }
  return errors;
}

function validateSpec(spec: JobSpec, options: PodValidationOptions): FieldError[] {
  const { selector, template } = spec;
  const errors = validateJobSpecParts(spec, specPath, options);
  append(errors, specRules.check(spec, specPath, "selector"));
  append(errors, validateLabelSelector(selector, specPath.child("selector"), options.checksSelectorValues));
  const { labels } = template.metadata;
  if (matcherOf(selector)?.matches(labels ?? {}) === false) {
    const why = "`selector` does not match template `labels`";
    errors.push(invalid(specPath.child("template", "metadata", "labels"), printStringMap(labels), why));
  }
  return errors;
}
