import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import {
  magnitudeOf,
  validateAtMost100Percent,
  validatePositiveIntOrPercent,
} from "../../checks/int-or-percent.js";
import { printIntOrString } from "../../checks/printed-values.js";
import { validateRequiredSelector, validateSameSelector } from "../../checks/selector-validation.js";
import { validateAtMost, validateCollisionCount } from "../../checks/status-counts.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "../../gen/apps-v1.js";
import { printRollingUpdate, printUpdateStrategy } from "../printed-update-strategy.js";
import { validateReplicatedTemplate } from "../replica-set/validation.js";
import { appsV1Types } from "../v1/types.js";

const specPath = FieldPath.of("spec");
const specRules = fieldRules<DeploymentSpec>(appsV1Types, "DeploymentSpec");
const statusRules = fieldRules<DeploymentStatus>(appsV1Types, "DeploymentStatus");
const strategyRules = fieldRules<DeploymentStrategy>(appsV1Types, "DeploymentStrategy");

export function validateDeployment({ spec }: Deployment, options: PodValidationOptions): FieldError[] {
  return validateSpec(spec, options);
}

export function validateDeploymentUpdate(
  { spec }: Deployment,
  old: Deployment,
  options: PodValidationOptions,
): FieldError[] {
  return [...validateSpec(spec, options), ...validateSameSelector(specRules, spec, old.spec, specPath)];
}

function validateSpec(spec: DeploymentSpec, options: PodValidationOptions): FieldError[] {
  const { replicas = 0, selector, template } = spec;
  return [
    ...specRules.check(spec, specPath, "replicas"),
    ...validateRequiredSelector(selector, "deployment", specPath.child("selector"), options.level),
    ...validateReplicatedTemplate({ template, selector, replicas }, specPath, options),
    ...validateStrategy(spec.strategy, specPath.child("strategy")),
    ...specRules.check(spec, specPath, "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"),
    ...validateProgressDeadline(spec, specPath.child("progressDeadlineSeconds")),
  ];
}

function validateProgressDeadline(
  { progressDeadlineSeconds, minReadySeconds = 0 }: DeploymentSpec,
  path: FieldPath,
): FieldError[] {
  return progressDeadlineSeconds === undefined || progressDeadlineSeconds > minReadySeconds
    ? []
    : [invalid(path, progressDeadlineSeconds, "must be greater than minReadySeconds")];
}

function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const rollingPath = path.child("rollingUpdate");
  switch (type) {
    case "Recreate":
      return rollingUpdate === undefined
        ? []
        : [forbidden(rollingPath, "may not be specified when strategy `type` is 'Recreate'")];
    case "RollingUpdate":
      return rollingUpdate === undefined
        ? [required(rollingPath, "this should be defaulted and never be nil")]
        : validateRollingUpdate(rollingUpdate, rollingPath);
    default: {
      const { rollingUpdate } = strategy;
      const printed = printUpdateStrategy("DeploymentStrategy", strategy.type, {
        name: "RollingUpdateDeployment",
        fields: rollingUpdate === undefined ? undefined : printRollingUpdate(rollingUpdate),
      });
      return [notSupported(path, printed, strategyRules.supported("type"))];
    }
  }
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: FieldPath,
): FieldError[] {
  const unavailablePath = path.child("maxUnavailable");
  const errors = [
    ...validatePositiveIntOrPercent(maxUnavailable, unavailablePath),
    ...validatePositiveIntOrPercent(maxSurge, path.child("maxSurge")),
  ];
  if (magnitudeOf(maxUnavailable) === 0 && magnitudeOf(maxSurge) === 0) {
    const why = "may not be 0 when `maxSurge` is 0";
    errors.push(invalid(unavailablePath, printIntOrString(maxUnavailable), why));
  }
  return [...errors, ...validateAtMost100Percent(maxUnavailable, unavailablePath)];
}

export function validateDeploymentStatusUpdate({ status }: Deployment, old: Deployment): FieldError[] {
  const path = FieldPath.of("status");
  const { replicas, updatedReplicas, readyReplicas, availableReplicas } = status;
  const parts = { updatedReplicas, readyReplicas, availableReplicas };
  return [
    ...statusRules.check(status, path, "observedGeneration", "replicas", "updatedReplicas", "readyReplicas"),
    ...statusRules.check(status, path, "availableReplicas", "unavailableReplicas", "collisionCount"),
    ...validateAtMost(replicas, parts, "cannot be greater than status.replicas", path),
    ...validateAtMost(readyReplicas, { availableReplicas }, "cannot be greater than readyReplicas", path),
    ...validateCollisionCount(status, old.status, path),
    ...statusRules.check(status, path, "terminatingReplicas"),
  ];
}
