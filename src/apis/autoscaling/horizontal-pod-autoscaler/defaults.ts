import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from "../../gen/autoscaling-v1.js";
import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from "../../gen/autoscaling-v2.js";
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2beta1 } from "../../gen/autoscaling-v2beta1.js";
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2beta2 } from "../../gen/autoscaling-v2beta2.js";

/** In percent of a pod's request. */
export const defaultCpuUtilization = 80;

export function cpuMetric(averageUtilization: number): MetricSpec {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** The default metric of v1 is set in conversion, because it depends on an annotation. */
export function setV1Defaults({ spec }: HorizontalPodAutoscalerV1): void {
  spec.minReplicas ??= 1;
}

export function setV2beta1Defaults({ spec }: HorizontalPodAutoscalerV2beta1): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    spec.metrics = [
      { type: "Resource", resource: { name: "cpu", targetAverageUtilization: defaultCpuUtilization } },
    ];
  }
}

/** For v2 and v2beta2. */
export function setV2Defaults({ spec }: HorizontalPodAutoscaler | HorizontalPodAutoscalerV2beta2): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [cpuMetric(defaultCpuUtilization)];
  setBehaviorDefaults(spec);
}

export function setBehaviorDefaults({ behavior }: Pick<HorizontalPodAutoscaler["spec"], "behavior">): void {
  if (behavior === undefined) return;
  behavior.scaleUp = withDefaults(behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  });
  behavior.scaleDown = withDefaults(behavior.scaleDown, {
    selectPolicy: "Max",
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
  });
}

function withDefaults(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  return {
    ...rules,
    stabilizationWindowSeconds: rules?.stabilizationWindowSeconds ?? defaults.stabilizationWindowSeconds,
    selectPolicy: rules?.selectPolicy ?? defaults.selectPolicy,
    policies: rules?.policies ?? defaults.policies,
  };
}
