import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateAnnotations, validateLabels } from "../../../apimachinery/validation/labels.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PodSpec, PodTemplateSpec } from "../../gen/core-v1.js";
import { validatePodAnnotations, validateSeccompAgreement } from "./annotation-validation.js";
import {
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from "./container-validation.js";
import { validateDnsConfig, validateHostAliases } from "./dns-validation.js";
import { validateOs } from "./os-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { validateResourceRequirements } from "./resource-validation.js";
import { validateAffinity, validateTopologySpread } from "./scheduling-validation.js";
import { validatePodSecurityContext } from "./security-validation.js";
import { validateTolerations } from "./toleration-validation.js";
import { problemsAt, validateDnsLabel, validateObjectName } from "./value-checks.js";
import { type PodMeta, validateVolumes } from "./volume-validation.js";
import { validateHostProcess } from "./windows-validation.js";

export const int32Max = 2 ** 31 - 1;
const rules = fieldRules<PodSpec>("core/v1.PodSpec");

/** `path` is the template's: `spec.template`. Validates the metadata that pods will copy. */
export function validatePodTemplateSpec(
  template: PodTemplateSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { metadata, spec } = template;
  const specPath = path.child("spec");
  const errors = [
    ...validateLabels(metadata.labels, path.child("labels")),
    ...validateAnnotations(metadata.annotations, path.child("annotations")),
    ...validatePodAnnotations(template, path.child("annotations"), options),
    ...validatePodSpec(spec, undefined, specPath, options),
    ...validateSeccompAgreement(template, specPath, options),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const why = "ephemeral containers not allowed in pod template";
    errors.push(forbidden(specPath.child("ephemeralContainers"), why));
  }
  return errors;
}

/** `podMeta` is the pod's; undefined for a template. */
export function validatePodSpec(
  spec: PodSpec,
  podMeta: PodMeta,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { volumes, errors } = validateVolumes(spec.volumes, podMeta, path.child("volumes"), options);
  const checks = { volumes, options };
  return [
    ...errors,
    ...validateContainers(spec.containers, path.child("containers"), checks),
    ...validateInitContainers(spec, path.child("initContainers"), checks),
    ...validateEphemeralContainers(spec, path.child("ephemeralContainers"), checks),
    ...rules.check(spec, path, "restartPolicy", "dnsPolicy"),
    ...validateLabels(spec.nodeSelector, path.child("nodeSelector")),
    ...validatePodSecurityContext(spec, path, options),
    ...validateAffinity(spec.affinity, path.child("affinity")),
    ...validateDnsConfig(spec, path.child("dnsConfig"), options),
    ...validateReadinessGates(spec, path.child("readinessGates")),
    ...validateTopologySpread(spec.topologySpreadConstraints, path.child("topologySpreadConstraints")),
    ...validateHostProcess(spec, path, options),
    ...validateNames(spec, path),
    ...validateTolerations(spec.tolerations, path.child("tolerations"), options.level),
    ...validateHostAliases(spec.hostAliases, path.child("hostAliases")),
    ...validateClasses(spec, path),
    ...(spec.overhead === undefined
      ? []
      : validateResourceRequirements({ limits: spec.overhead }, path.child("overhead"), options)),
    ...validateOs(spec, path, options),
  ];
}

function validateReadinessGates({ readinessGates }: PodSpec, path: FieldPath): FieldError[] {
  return errorsOfEach(readinessGates, ({ conditionType }, index) =>
    problemsAt(path.index(index).child("conditionType"), conditionType, isQualifiedName(conditionType)),
  );
}

function validateNames(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ["serviceAccountName", "nodeName"] as const) {
    const name = spec[field] ?? "";
    if (name !== "") append(errors, validateObjectName(name, path.child(field)));
  }
  append(errors, rules.check(spec, path, "activeDeadlineSeconds"));
  for (const field of ["hostname", "subdomain"] as const) {
    const name = spec[field] ?? "";
    if (name !== "") append(errors, validateDnsLabel(name, path.child(field)));
  }
  return errors;
}

function validateClasses(spec: PodSpec, path: FieldPath): FieldError[] {
  const { priorityClassName = "", runtimeClassName } = spec;
  return [
    ...(priorityClassName === ""
      ? []
      : validateObjectName(priorityClassName, path.child("priorityClassName"))),
    ...(runtimeClassName === undefined
      ? []
      : validateObjectName(runtimeClassName, path.child("runtimeClassName"))),
    ...(spec.preemptionPolicy === ""
      ? [required(path.child("preemptionPolicy"), "")]
      : rules.check(spec, path, "preemptionPolicy")),
  ];
}
