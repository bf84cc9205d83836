import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  HPAScalingPolicy,
  HPAScalingRules,
} from "../../gen/autoscaling-v2.js";
import { autoscalingV2Types } from "../v2/types.js";
import {
  type MetricRules,
  type ReferencedVersions,
  validateMetrics,
  validateReference,
} from "./metric-validation.js";

const specRules = fieldRules<HorizontalPodAutoscalerSpec>(autoscalingV2Types, "HorizontalPodAutoscalerSpec");
const statusRules = fieldRules<HorizontalPodAutoscalerStatus>(
  autoscalingV2Types,
  "HorizontalPodAutoscalerStatus",
);
const scalingRules = fieldRules<HPAScalingRules>(autoscalingV2Types, "HPAScalingRules");
const policyRules = fieldRules<HPAScalingPolicy>(autoscalingV2Types, "HPAScalingPolicy");

export interface AutoscalerRules extends MetricRules {
  /** Whether a workload may be scaled to zero. */
  readonly allowZeroReplicas: boolean;
  /** Which apiVersions of the scale target are valid. */
  readonly targetVersions: ReferencedVersions;
}

/** The same rules apply to creates and updates. */
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
  if (!hasErrorTextsOf(36)) append(errors, specRules.check(spec, path, "maxReplicas"));
  else if (maxReplicas === 0)
    errors.push(required(path.child("maxReplicas"), "must be set and greater than 0"));
  else if (maxReplicas < 0) {
    errors.push(invalid(path.child("maxReplicas"), maxReplicas, "must be greater than or equal to 1"));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const why = "must be greater than or equal to `minReplicas`";
    errors.push(invalid(path.child("maxReplicas"), maxReplicas, why));
  }
  return [
    ...errors,
    ...validateReference(spec.scaleTargetRef, path.child("scaleTargetRef"), rules.targetVersions),
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
  const { policies = [] } = rules;
  const policiesPath = path.child("policies");
  return [
    ...scalingRules.check(rules, path, "stabilizationWindowSeconds", "tolerance", "selectPolicy", "policies"),
    ...policies.flatMap((policy, index) =>
      policyRules.check(policy, policiesPath.index(index), "type", "value", "periodSeconds"),
    ),
  ];
}

export function validateHorizontalPodAutoscalerStatus({ status }: HorizontalPodAutoscaler): FieldError[] {
  return statusRules.check(status, FieldPath.of("status"), "currentReplicas", "desiredReplicas");
}
