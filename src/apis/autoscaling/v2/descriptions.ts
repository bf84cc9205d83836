import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

/** Descriptions shared by several types of metrics, their targets and their current values. */
export const metricName = "Name of the metric.";
export const metricSelector =
  "Narrows the metric to series with these labels. Unset: the name alone decides.";
export const describedObject = "The object that the metric is of, in the same namespace.";
const resourceName = "The resource measured: cpu or memory.";
const container = "Name of the container, the same in every pod.";
export const share = "as a percentage of what the pods request, averaged over them";

const metricMembers = {
  containerResource:
    "Use of a resource by one container of each pod; needs the feature gate HPAContainerMetrics.",
  external: "A metric from outside the cluster, such as the length of a queue elsewhere.",
  object: "A metric of one object, such as the requests to an ingress.",
  pods: "A metric of each pod, averaged over all of them.",
  resource: "Use of CPU or memory by each pod.",
  type: "Which one of the other members is set: Object, Pods, Resource, ContainerResource or External.",
};

const resourceSource = {
  name: resourceName,
  target: "The use to aim at, as averageUtilization or averageValue.",
};

const resourceUse = {
  current: "The last use, as averageValue, and as averageUtilization if that is aimed at.",
  name: resourceName,
};

export const autoscalingV2Descriptions: TypeDescriptions = {
  CrossVersionObjectReference: {
    about: "Names an object by kind, name and version.",
    fields: {
      apiVersion: "Group and version of the kind, as in apps/v1.",
      kind: "Kind of the object, such as Deployment.",
      name: "Name of the object.",
    },
  },
  HorizontalPodAutoscalerSpec: {
    about: "What an autoscaler scales, by which measurements, and within which bounds.",
    fields: {
      behavior:
        "How fast pods are added and removed. Default: up at once, down after 300 seconds of lower need.",
      maxReplicas: "The most pods that the autoscaler asks for; not less than minReplicas.",
      metrics:
        "What is measured; the metric that asks for most pods wins. Default: CPU use at 80% of the request.",
      minReplicas:
        "The fewest pods that the autoscaler asks for; 0 needs the feature gate HPAScaleToZero. Default: 1.",
      scaleTargetRef: "The workload to scale, by its scale subresource, in the same namespace.",
    },
  },
  HorizontalPodAutoscalerStatus: {
    fields: {
      conditions: "Whether scaling is possible, happens, and is held back by a bound.",
      currentMetrics: "The last values of the metrics in the spec.",
      currentReplicas: "Pods that the workload had when last looked at.",
      desiredReplicas: "Pods that the autoscaler last asked for.",
      lastScaleTime: "When the autoscaler last changed the number of pods.",
      observedGeneration:
        "The metadata.generation that the autoscaler has acted on; a lower one means it lags.",
    },
  },
  HorizontalPodAutoscalerCondition: {
    fields: { ...conditionFields, type: "ScalingActive, AbleToScale or ScalingLimited." },
  },
  HorizontalPodAutoscaler: {
    about: "Changes the number of pods of a workload by measurements.",
    fields: {
      spec: "What to scale, by which measurements and within which bounds.",
      status: "The last measurements, and how many pods they led to.",
    },
  },
  MetricSpec: {
    about: "A metric and the value to hold it at; type says which member is set.",
    fields: metricMembers,
  },
  ObjectMetricSource: {
    about: "A metric of one object.",
    fields: {
      describedObject,
      metric: "Which of the object's metrics.",
      target: "The value to aim at; in v1 and v2beta1, the object that the metric is of.",
    },
  },
  PodsMetricSource: {
    about: "A metric of each pod, averaged.",
    fields: {
      metric: "Which of the pods' metrics.",
      target: "The value per pod to aim at, as averageValue.",
    },
  },
  ResourceMetricSource: {
    about: "A resource that each pod uses, such as CPU.",
    fields: resourceSource,
  },
  ContainerResourceMetricSource: {
    about: "A resource that one container of each pod uses, such as CPU.",
    fields: { ...resourceSource, container },
  },
  ExternalMetricSource: {
    about: "A metric of something outside the cluster.",
    fields: {
      metric: "Name and labels of the metric.",
      target: "What to aim at: value in total, or averageValue per pod.",
    },
  },
  MetricStatus: {
    about: "The last value of a metric; type says which member is set.",
    fields: metricMembers,
  },
  ObjectMetricStatus: {
    about: "The last value of a metric of one object.",
    fields: {
      current: "The last value, as value or averageValue.",
      describedObject,
      metric: "Which of the object's metrics.",
    },
  },
  PodsMetricStatus: {
    about: "The last average of a metric of pods.",
    fields: {
      current: "The last value per pod, as averageValue.",
      metric: "Which of the pods' metrics.",
    },
  },
  ResourceMetricStatus: {
    about: "What pods last used of a resource.",
    fields: resourceUse,
  },
  ContainerResourceMetricStatus: {
    about: "What one container of each pod last used of a resource.",
    fields: { ...resourceUse, container },
  },
  ExternalMetricStatus: {
    about: "The last value of a metric of something outside the cluster.",
    fields: {
      current: "The last value, as value or averageValue.",
      metric: "Name and labels of the metric.",
    },
  },
  HorizontalPodAutoscalerBehavior: {
    about: "How fast an autoscaler adds and removes pods.",
    fields: {
      scaleDown: "Rules for removing pods. Default: any number, by the highest need of the last 300 seconds.",
      scaleUp: "Rules for adding pods. Default: 4 pods or 100% in 15 seconds, whichever is more.",
    },
  },
  HPAScalingRules: {
    about: "How fast an autoscaler may change the number of pods in one direction.",
    fields: {
      policies: "Limits of the change; at least one.",
      selectPolicy:
        "Which policy counts: Max, the one that allows most; Min, least; or Disabled, no change this way. Default: Max.",
      stabilizationWindowSeconds:
        "Seconds, 0 to 3600, for which earlier recommendations hold back a change. Default: 0 up, 300 down.",
      tolerance:
        "How far the metric may be from its target without scaling, as a fraction. Default: that of the cluster.",
    },
  },
  HPAScalingPolicy: {
    about: "How many pods may come or go within a period.",
    fields: {
      periodSeconds: "Seconds, 1 to 1800, within which at most value may change.",
      type: "What value counts: Pods, or Percent of the present pods.",
      value: "The most that may change in a period; more than 0.",
    },
  },
  MetricIdentifier: {
    about: "Names a metric, and picks its series.",
    fields: { name: metricName, selector: metricSelector },
  },
  MetricTarget: {
    about: "The value to hold a metric at.",
    fields: {
      averageUtilization: `The use to aim at, ${share}. For resources only.`,
      averageValue: "The value per pod to aim at, averaged over all pods.",
      type: "How the target is given: Utilization, Value or AverageValue.",
      value: "The value to aim at, whatever the number of pods.",
    },
  },
  MetricValueStatus: {
    about: "The value of a metric.",
    fields: {
      averageUtilization: `The last use, ${share}. For resources only.`,
      averageValue: "The last value per pod, averaged over all pods.",
      value: "The last value in total.",
    },
  },
};
