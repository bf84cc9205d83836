import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { LabelSelector as Matcher } from "../../../apimachinery/selectors/label-selector.js";
import { printLabelSelector } from "../../checks/printed-values.js";
import {
  matcherOf,
  validateRequiredSelector,
  validateSameSelector,
  validateSelected,
} from "../../checks/selector-validation.js";
import { validateAtMost } from "../../checks/status-counts.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { validateReadOnlyPersistentDisks } from "../../core/replication-controller/validation.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ReplicaSet, ReplicaSetSpec, ReplicaSetStatus } from "../../gen/apps-v1.js";
import type { PodTemplateSpec } from "../../gen/core-v1.js";
import { appsV1Types } from "../v1/types.js";

const specPath = FieldPath.of("spec");
const statusRules = fieldRules<ReplicaSetStatus>(appsV1Types, "ReplicaSetStatus");
const specRules = fieldRules<ReplicaSetSpec>(appsV1Types, "ReplicaSetSpec");

export function validateReplicaSet({ spec }: ReplicaSet, options: PodValidationOptions): FieldError[] {
  return validateSpec(spec, options);
}

export function validateReplicaSetUpdate(
  { spec }: ReplicaSet,
  old: ReplicaSet,
  options: PodValidationOptions,
): FieldError[] {
  const errors = validateSpec(spec, options);
  return [
    // Before 1.34, Kubernetes validates an updated object twice and reports every error twice.
    ...(isAtLeast(options.level, "1.34") ? errors : [...errors, ...errors]),
    ...validateSameSelector(specRules, spec, old.spec, specPath),
  ];
}

function validateSpec(spec: ReplicaSetSpec, options: PodValidationOptions): FieldError[] {
  const { replicas = 0, selector, template } = spec;
  return [
    ...specRules.check(spec, specPath, "replicas", "minReadySeconds"),
    ...validateRequiredSelector(selector, "deployment", specPath.child("selector"), options.level),
    ...validateReplicatedTemplate({ template, selector, replicas }, specPath, options),
  ];
}

/** For replica sets, and for deployments, which create replica sets from their template. */
export function validateReplicatedTemplate(
  { template, selector, replicas }: Pick<ReplicaSetSpec, "template" | "selector"> & { replicas: number },
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const matcher = matcherOf(selector);
  if (matcher === undefined) {
    return [invalid(path.child("selector"), printLabelSelector(selector), "invalid label selector")];
  }
  return validateTemplate({ template, matcher, replicas }, path.child("template"), options);
}

function validateTemplate(
  { template, matcher, replicas }: { template: PodTemplateSpec; matcher: Matcher; replicas: number },
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors = [
    ...validateSelected(template, matcher, path),
    ...validatePodTemplateSpec(template, path, options),
  ];
  if (replicas > 1) {
    append(
      errors,
      validateReadOnlyPersistentDisks(template.spec.volumes, path.child("spec", "volumes"), options),
    );
  }
  return [...errors, ...validateRunsForever(template, "ReplicaSet", path)];
}

/** `path` is the template's. */
export function validateRunsForever({ spec }: PodTemplateSpec, kind: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { restartPolicy = "", activeDeadlineSeconds } = spec;
  if (restartPolicy !== "Always") {
    errors.push(notSupported(path.child("spec", "restartPolicy"), restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbidden(path.child("spec", "activeDeadlineSeconds"), why));
  }
  return errors;
}

export function validateReplicaSetStatus(status: ReplicaSetStatus): FieldError[] {
  const path = FieldPath.of("status");
  const { replicas, fullyLabeledReplicas, readyReplicas, availableReplicas } = status;
  const parts = { fullyLabeledReplicas, readyReplicas, availableReplicas };
  return [
    ...statusRules.check(status, path, "replicas", "fullyLabeledReplicas", "readyReplicas"),
    ...statusRules.check(status, path, "availableReplicas", "observedGeneration"),
    ...validateAtMost(replicas, parts, "cannot be greater than status.replicas", path),
    ...validateAtMost(readyReplicas, { availableReplicas }, "cannot be greater than readyReplicas", path),
    ...statusRules.check(status, path, "terminatingReplicas"),
  ];
}
