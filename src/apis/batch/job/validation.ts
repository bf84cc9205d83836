import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import { printLabelSelector } from "../../apps/printed-values.js";
import { matcherOf, validateSameSelector } from "../../apps/selector-validation.js";
import { printStringMap } from "../../core/pod-spec/printed-values.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Job, JobSpec, JobStatus } from "../../gen/batch-v1.js";
import { withUpdatableScheduling } from "./scheduling-update.js";
import { validateJobSpecParts } from "./spec-validation.js";

const specPath = FieldPath.of("spec");
const specRules = fieldRules<JobSpec>("batch/v1.JobSpec");
const statusRules = fieldRules<JobStatus>("batch/v1.JobStatus");

export interface JobUpdateRules {
  /** Marks jobs whose pods are tracked by finalizers. Only a job created with it may have it. */
  readonly trackingAnnotation: string;
  /** Whether the scheduling of a job that has not started may change. */
  readonly allowSchedulingUpdate: boolean;
}

export function validateNewJob(job: Job, options: PodValidationOptions): FieldError[] {
  return [...validateGeneratedSelector(job), ...validateSpec(job.spec, options)];
}

export function validateJobUpdate(
  job: Job,
  old: Job,
  rules: JobUpdateRules,
  options: PodValidationOptions,
): FieldError[] {
  const { spec } = job;
  const errors = validateNewJob(job, options);
  const { trackingAnnotation: tracking } = rules;
  if (
    job.metadata.annotations?.[tracking] !== undefined &&
    old.metadata.annotations?.[tracking] === undefined
  ) {
    const path = FieldPath.of("metadata", "annotations").key(tracking);
    errors.push(forbidden(path, "cannot add this annotation"));
  }
  const isSuspended = old.spec.suspend === true && old.status.startTime === undefined;
  const oldTemplate =
    rules.allowSchedulingUpdate && isSuspended
      ? withUpdatableScheduling(old.spec.template, spec.template)
      : old.spec.template;
  return [
    ...errors,
    // Kubernetes validates the spec of an updated job twice and reports every error twice.
    ...validateSpec(spec, options),
    ...specRules.unchanged(spec, old.spec, specPath, "completions"),
    ...validateSameSelector(spec.selector, old.spec.selector, specPath.child("selector")),
    ...validateImmutable(spec.template, oldTemplate, specPath.child("template")),
    ...specRules.unchanged(spec, old.spec, specPath, "completionMode"),
  ];
}

/** The client may have sent values that contradict the generated ones. */
function validateGeneratedSelector({ metadata, spec }: Job): FieldError[] {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const { name = "", uid = "" } = metadata;
  const errors: FieldError[] = [];
  if (uid === "") errors.push(required(FieldPath.of("metadata", "uid"), ""));
  const expected = { "controller-uid": uid, "job-name": name };
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
  const selectorPath = specPath.child("selector");
  const errors = validateJobSpecParts(spec, specPath, options);
  if (selector === undefined) errors.push(required(selectorPath, ""));
  else append(errors, validateLabelSelector(selector, selectorPath));
  const { labels } = template.metadata;
  if (matcherOf(selector)?.matches(labels ?? {}) === false) {
    const why = "`selector` does not match template `labels`";
    errors.push(invalid(specPath.child("template", "metadata", "labels"), printStringMap(labels), why));
  }
  return errors;
}

export function validateJobStatus(status: JobStatus): FieldError[] {
  const path = FieldPath.of("status");
  const { uncountedTerminatedPods: uncounted } = status;
  return [
    ...statusRules.check(status, path, "active", "succeeded", "failed", "ready"),
    ...validateUncounted(
      { succeeded: uncounted?.succeeded, failed: uncounted?.failed },
      path.child("uncountedTerminatedPods"),
    ),
  ];
}

/** Each pod may be listed once, in one of the lists. */
function validateUncounted(
  lists: { readonly [list: string]: readonly string[] | undefined },
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return Object.entries(lists).flatMap(([name, uids]) =>
    (uids ?? []).flatMap((uid, index) => {
      const at = path.child(name).index(index);
      if (uid === "") return [invalid(at, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}
