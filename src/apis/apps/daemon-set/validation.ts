import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import {
  checksSelectorValues,
  validateLabelSelector,
} from "../../../apimachinery/validation/label-selector.js";
import {
  magnitudeOf,
  validateAtMost100Percent,
  validatePositiveIntOrPercent,
} from "../../checks/int-or-percent.js";
import { printIntOrString } from "../../checks/printed-values.js";
import {
  matcherOf,
  validateSameSelector,
  validateSelected,
  validateSelects,
} from "../../checks/selector-validation.js";
import { validateCollisionCount } from "../../checks/status-counts.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { validateReadOnlyPersistentDisks } from "../../core/replication-controller/validation.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from "../../gen/apps-v1.js";
import { printRollingUpdate, printUpdateStrategy } from "../printed-update-strategy.js";
import { validateRunsForever } from "../replica-set/validation.js";
import { appsV1Types } from "../v1/types.js";

const specPath = FieldPath.of("spec");
const specRules = fieldRules<DaemonSetSpec>(appsV1Types, "DaemonSetSpec");
const statusRules = fieldRules<DaemonSetStatus>(appsV1Types, "DaemonSetStatus");
const strategyRules = fieldRules<DaemonSetUpdateStrategy>(appsV1Types, "DaemonSetUpdateStrategy");

export function validateDaemonSet({ spec }: DaemonSet, options: PodValidationOptions): FieldError[] {
  return validateSpec(spec, options);
}

export function validateDaemonSetUpdate(
  { spec }: DaemonSet,
  old: DaemonSet,
  options: PodValidationOptions,
): FieldError[] {
  const checksValues =
    options.checksSelectorValues && checksSelectorValues(options.level, [old.spec.selector]);
  const errors = validateSpec(spec, { ...options, checksSelectorValues: checksValues });
  const changed = validateSameSelector(specRules, spec, old.spec, specPath);
  // Before 1.34, Kubernetes validates an updated object twice and reports every error twice, before the selector.
  return isAtLeast(options.level, "1.34") ? [...changed, ...errors] : [...errors, ...errors, ...changed];
}

function validateSpec(spec: DaemonSetSpec, options: PodValidationOptions): FieldError[] {
  const { selector, template } = spec;
  const selectorPath = specPath.child("selector");
  const templatePath = specPath.child("template");
  const matcher = matcherOf(selector);
  return [
    ...validateLabelSelector(selector, selectorPath, options.checksSelectorValues),
    ...(matcher === undefined ? [] : validateSelected(template, matcher, templatePath)),
    ...(selector === undefined ? [] : validateSelects(selector, "daemonset", selectorPath)),
    ...validatePodTemplateSpec(template, templatePath, options),
    ...validateReadOnlyPersistentDisks(template.spec.volumes, templatePath.child("spec", "volumes"), options),
    ...validateRunsForever(template, "DaemonSet", templatePath),
    ...specRules.check(spec, specPath, "minReadySeconds"),
    ...validateUpdateStrategy(spec.updateStrategy, specPath.child("updateStrategy")),
    ...specRules.check(spec, specPath, "revisionHistoryLimit"),
  ];
}

function validateUpdateStrategy(strategy: DaemonSetUpdateStrategy, path: FieldPath): FieldError[] {
  const rollingPath = path.child("rollingUpdate");
  switch (strategy.type) {
    case "OnDelete":
      return [];
    case "RollingUpdate":
      return strategy.rollingUpdate === undefined
        ? [required(rollingPath, "")]
        : validateRollingUpdate(strategy.rollingUpdate, rollingPath);
    default: {
      const { rollingUpdate } = strategy;
      const printed = printUpdateStrategy("DaemonSetUpdateStrategy", strategy.type, {
        name: "RollingUpdateDaemonSet",
        fields: rollingUpdate === undefined ? undefined : printRollingUpdate(rollingUpdate),
      });
      return [notSupported(path, printed, strategyRules.supported("type"))];
    }
  }
}

/** With the gate for surges off, maxSurge is zero here, so the rules for both fields reduce to those for maxUnavailable. */
function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet,
  path: FieldPath,
): FieldError[] {
  const unavailablePath = path.child("maxUnavailable");
  const surgePath = path.child("maxSurge");
  const errors = [
    ...validatePositiveIntOrPercent(maxUnavailable, unavailablePath),
    ...validatePositiveIntOrPercent(maxSurge, surgePath),
    ...validateAtMost100Percent(maxUnavailable, unavailablePath),
    ...validateAtMost100Percent(maxSurge, surgePath),
  ];
  const hasUnavailable = magnitudeOf(maxUnavailable) !== 0;
  const hasSurge = magnitudeOf(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    const why = "may not be set when maxUnavailable is non-zero";
    errors.push(invalid(surgePath, printIntOrString(maxSurge), why));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(required(unavailablePath, "cannot be 0 when maxSurge is 0"));
  }
  return errors;
}

export function validateDaemonSetStatusUpdate({ status }: DaemonSet, old: DaemonSet): FieldError[] {
  const path = FieldPath.of("status");
  return [
    ...statusRules.check(status, path, "currentNumberScheduled", "numberMisscheduled"),
    ...statusRules.check(status, path, "desiredNumberScheduled", "numberReady", "observedGeneration"),
    ...statusRules.check(status, path, "updatedNumberScheduled", "numberAvailable", "numberUnavailable"),
    ...statusRules.check(status, path, "collisionCount"),
    ...validateCollisionCount(status, old.status, path),
  ];
}
