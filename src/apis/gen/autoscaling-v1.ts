// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface HorizontalPodAutoscaler {
  metadata: ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status: HorizontalPodAutoscalerStatus;
}

export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number | undefined;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number | undefined;
}

export interface CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string | undefined;
}

export interface MetricSpec {
  type: OpenEnum<"Object" | "Pods" | "Resource" | "ContainerResource" | "External">;
  object?: ObjectMetricSource | undefined;
  pods?: PodsMetricSource | undefined;
  resource?: ResourceMetricSource | undefined;
  containerResource?: ContainerResourceMetricSource | undefined;
  external?: ExternalMetricSource | undefined;
}

export interface ObjectMetricSource {
  target: CrossVersionObjectReference;
  metricName: string;
  targetValue: string;
  selector?: LabelSelector | undefined;
  averageValue?: string | undefined;
}

export interface PodsMetricSource {
  metricName: string;
  targetAverageValue: string;
  selector?: LabelSelector | undefined;
}

export interface ResourceMetricSource {
  name: string;
  targetAverageUtilization?: number | undefined;
  targetAverageValue?: string | undefined;
}

export interface ContainerResourceMetricSource {
  name: string;
  targetAverageUtilization?: number | undefined;
  targetAverageValue?: string | undefined;
  container: string;
}

export interface ExternalMetricSource {
  metricName: string;
  metricSelector?: LabelSelector | undefined;
  targetValue?: string | undefined;
  targetAverageValue?: string | undefined;
}

export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: number | bigint | undefined;
  lastScaleTime?: string | undefined;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number | undefined;
}

export interface HorizontalPodAutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface MetricStatus {
  type: OpenEnum<"Object" | "Pods" | "Resource" | "ContainerResource" | "External">;
  object?: ObjectMetricStatus | undefined;
  pods?: PodsMetricStatus | undefined;
  resource?: ResourceMetricStatus | undefined;
  containerResource?: ContainerResourceMetricStatus | undefined;
  external?: ExternalMetricStatus | undefined;
}

export interface ObjectMetricStatus {
  target: CrossVersionObjectReference;
  metricName: string;
  currentValue: string;
  selector?: LabelSelector | undefined;
  averageValue?: string | undefined;
}

export interface PodsMetricStatus {
  metricName: string;
  currentAverageValue: string;
  selector?: LabelSelector | undefined;
}

export interface ResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number | undefined;
  currentAverageValue: string;
}

export interface ContainerResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number | undefined;
  currentAverageValue: string;
  container: string;
}

export interface ExternalMetricStatus {
  metricName: string;
  metricSelector?: LabelSelector | undefined;
  currentValue: string;
  currentAverageValue?: string | undefined;
}

export interface HorizontalPodAutoscalerList {
  metadata: ListMeta;
  items?: HorizontalPodAutoscaler[] | undefined;
}

export interface Scale {
  metadata: ObjectMeta;
  spec: ScaleSpec;
  status: ScaleStatus;
}

export interface ScaleSpec {
  replicas?: number | undefined;
}

export interface ScaleStatus {
  replicas: number;
  selector?: string | undefined;
}
