import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/field-error.js";
import { validateNonnegative } from "../../../apimachinery/validation/values.js";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "../../gen/autoscaling-v2.js";
import { type MetricRules, validateMetrics, validateReference } from "./metric-validation.js";

const stabilizationSecondsMax = 3600;
const periodSecondsMax = 1800;
const selectPolicies = ["Disabled", "Max", "Min"];
const policyTypes = ["Percent", "Pods"];

export interface AutoscalerRules extends MetricRules {
  /** Whether a workload may be scaled to nothing. */
  readonly allowZeroReplicas: boolean;
}

/** The rules of creation and of updates are the same. */
export function validateHorizontalPodAutoscaler(
  { spec }: HorizontalPodAutoscaler,
  rules: AutoscalerRules,
): FieldError[] {
  const path = FieldPath.of("spec");
  const { minReplicas, maxReplicas } = spec;
  const errors: FieldError[] = [];
  const least = rules.allowZeroReplicas ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < least) {
    const why = `must be greater than or equal to ${least}`;
    errors.push(invalid(path.child("minReplicas"), minReplicas, why));
  }
  if (maxReplicas < 1) errors.push(invalid(path.child("maxReplicas"), maxReplicas, "must be greater than 0"));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const why = "must be greater than or equal to `minReplicas`";
    errors.push(invalid(path.child("maxReplicas"), maxReplicas, why));
  }
  return [
    ...errors,
    ...validateReference(spec.scaleTargetRef, path.child("scaleTargetRef")),
    ...validateMetrics(spec.metrics ?? [], minReplicas, path.child("metrics"), rules),
    ...validateBehavior(spec.behavior, path.child("behavior")),
  ];
}

function validateBehavior(
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  path: FieldPath,
): FieldError[] {
  return (["scaleUp", "scaleDown"] as const).flatMap((direction) => {
    const rules = behavior?.[direction];
    return rules === undefined ? [] : validateScaling(rules, path.child(direction));
  });
}

function validateScaling(rules: HPAScalingRules, path: FieldPath): FieldError[] {
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [] } = rules;
  const windowPath = path.child("stabilizationWindowSeconds");
  const errors: FieldError[] = [];
  if (window < 0) errors.push(invalid(windowPath, window, "must be greater than or equal to zero"));
  if (window > stabilizationSecondsMax) {
    errors.push(invalid(windowPath, window, `must be less than or equal to ${stabilizationSecondsMax}`));
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupported(path.child("selectPolicy"), selectPolicy, selectPolicies));
  }
  const policiesPath = path.child("policies");
  if (policies.length === 0) errors.push(required(policiesPath, "must specify at least one Policy"));
  return [
    ...errors,
    ...policies.flatMap((policy, index) => validatePolicy(policy, policiesPath.index(index))),
  ];
}

function validatePolicy({ type, value, periodSeconds }: HPAScalingPolicy, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const periodPath = path.child("periodSeconds");
  if (!policyTypes.includes(type)) errors.push(notSupported(path.child("type"), type, policyTypes));
  if (value <= 0) errors.push(invalid(path.child("value"), value, "must be greater than zero"));
  if (periodSeconds <= 0) errors.push(invalid(periodPath, periodSeconds, "must be greater than zero"));
  if (periodSeconds > periodSecondsMax) {
    errors.push(invalid(periodPath, periodSeconds, `must be less than or equal to ${periodSecondsMax}`));
  }
  return errors;
}

export function validateHorizontalPodAutoscalerStatus({ status }: HorizontalPodAutoscaler): FieldError[] {
  const path = FieldPath.of("status");
  return [
    ...validateNonnegative(status.currentReplicas ?? 0, path.child("currentReplicas")),
    ...validateNonnegative(status.desiredReplicas, path.child("desiredReplicas")),
  ];
}
