import type { TypeDescriptions } from "./type-descriptions.js";

export const autoscalingTypes: TypeDescriptions = {
  CrossVersionObjectReference: {
    about: "Names an object by kind, name and version.",
  },
  HorizontalPodAutoscalerSpec: {
    fields: {
      maxReplicas: "The most pods.",
      minReplicas: "The fewest pods. Default: 1.",
      scaleTargetRef: "What is scaled.",
      behavior: "How fast pods are added and removed.",
      metrics: "What is measured.",
    },
  },
  HorizontalPodAutoscaler: {
    about: "Changes the number of pods of a workload by measurements.",
  },
  Scale: {
    about: "The number of pods of a workload.",
  },
  ScaleSpec: {
    fields: {
      replicas: "How many pods are wanted.",
    },
  },
  ScaleStatus: {
    fields: {
      replicas: "How many pods there are.",
      selector: "The pods, as the text of a selector.",
    },
  },
  MetricSpec: {
    about: "A metric and the value to hold it at; type says which member is set.",
  },
  ObjectMetricSource: {
    about: "A metric of one object.",
  },
  PodsMetricSource: {
    about: "A metric of each pod, averaged.",
  },
  ResourceMetricSource: {
    about: "A resource that each pod uses, such as CPU.",
  },
  ContainerResourceMetricSource: {
    about: "A resource that one container of each pod uses, such as CPU.",
  },
  ExternalMetricSource: {
    about: "A metric of something outside the cluster.",
  },
  MetricStatus: {
    about: "The last value of a metric; type says which member is set.",
  },
  ObjectMetricStatus: {
    about: "The last value of a metric of one object.",
  },
  PodsMetricStatus: {
    about: "The last average of a metric of pods.",
  },
  ResourceMetricStatus: {
    about: "What pods last used of a resource.",
  },
  ContainerResourceMetricStatus: {
    about: "What one container of each pod last used of a resource.",
  },
  ExternalMetricStatus: {
    about: "The last value of a metric of something outside the cluster.",
  },
  HorizontalPodAutoscalerBehavior: {
    about: "How fast an autoscaler adds and removes pods.",
  },
  HPAScalingRules: {
    about: "How fast an autoscaler may change the number of pods in one direction.",
  },
  HPAScalingPolicy: {
    about: "How many pods may come or go within a period.",
  },
  MetricIdentifier: {
    about: "Names a metric.",
  },
  MetricTarget: {
    about: "The value to hold a metric at.",
  },
  MetricValueStatus: {
    about: "The value of a metric.",
  },
};
