import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const autoscalingV2beta1Types: TypePackage = { name: "autoscaling/v2beta1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    CrossVersionObjectReference: {
      fields: {
        kind: { number: 1, type: "string" },
        name: { number: 2, type: "string" },
        apiVersion: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    HorizontalPodAutoscalerSpec: {
      fields: {
        scaleTargetRef: { number: 1, type: "autoscaling/v2beta1.CrossVersionObjectReference" },
        minReplicas: { number: 2, type: "int32", pointer: true, omitempty: true, optional: true },
        maxReplicas: { number: 3, type: "int32" },
        metrics: {
          number: 4,
          type: "autoscaling/v2beta1.MetricSpec",
          list: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    MetricSpec: {
      fields: {
        type: { number: 1, type: "string", elementName: "v2beta1.MetricSourceType" },
        object: {
          number: 2,
          type: "autoscaling/v2beta1.ObjectMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        pods: {
          number: 3,
          type: "autoscaling/v2beta1.PodsMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resource: {
          number: 4,
          type: "autoscaling/v2beta1.ResourceMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        containerResource: {
          number: 7,
          type: "autoscaling/v2beta1.ContainerResourceMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        external: {
          number: 5,
          type: "autoscaling/v2beta1.ExternalMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ObjectMetricSource: {
      fields: {
        target: { number: 1, type: "autoscaling/v2beta1.CrossVersionObjectReference" },
        metricName: { number: 2, type: "string" },
        targetValue: { number: 3, type: "Quantity" },
        selector: {
          number: 4,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        averageValue: { number: 5, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    PodsMetricSource: {
      fields: {
        metricName: { number: 1, type: "string" },
        targetAverageValue: { number: 2, type: "Quantity" },
        selector: {
          number: 3,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ResourceMetricSource: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.ResourceName" },
        targetAverageUtilization: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        targetAverageValue: { number: 3, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    ContainerResourceMetricSource: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.ResourceName" },
        targetAverageUtilization: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        targetAverageValue: { number: 3, type: "Quantity", pointer: true, omitempty: true, optional: true },
        container: { number: 4, type: "string" },
      },
    },
    ExternalMetricSource: {
      fields: {
        metricName: { number: 1, type: "string" },
        metricSelector: {
          number: 2,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        targetValue: { number: 3, type: "Quantity", pointer: true, omitempty: true, optional: true },
        targetAverageValue: { number: 4, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    HorizontalPodAutoscalerStatus: {
      fields: {
        observedGeneration: { number: 1, type: "int64", pointer: true, omitempty: true, optional: true },
        lastScaleTime: { number: 2, type: "Time", pointer: true, omitempty: true, optional: true },
        currentReplicas: { number: 3, type: "int32" },
        desiredReplicas: { number: 4, type: "int32" },
        currentMetrics: { number: 5, type: "autoscaling/v2beta1.MetricStatus", list: true, optional: true },
        conditions: {
          number: 6,
          type: "autoscaling/v2beta1.HorizontalPodAutoscalerCondition",
          list: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscalerCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v2beta1.HorizontalPodAutoscalerConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    MetricStatus: {
      fields: {
        type: { number: 1, type: "string", elementName: "v2beta1.MetricSourceType" },
        object: {
          number: 2,
          type: "autoscaling/v2beta1.ObjectMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        pods: {
          number: 3,
          type: "autoscaling/v2beta1.PodsMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resource: {
          number: 4,
          type: "autoscaling/v2beta1.ResourceMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        containerResource: {
          number: 7,
          type: "autoscaling/v2beta1.ContainerResourceMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        external: {
          number: 5,
          type: "autoscaling/v2beta1.ExternalMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ObjectMetricStatus: {
      fields: {
        target: { number: 1, type: "autoscaling/v2beta1.CrossVersionObjectReference" },
        metricName: { number: 2, type: "string" },
        currentValue: { number: 3, type: "Quantity" },
        selector: {
          number: 4,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        averageValue: { number: 5, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    PodsMetricStatus: {
      fields: {
        metricName: { number: 1, type: "string" },
        currentAverageValue: { number: 2, type: "Quantity" },
        selector: {
          number: 3,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ResourceMetricStatus: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.ResourceName" },
        currentAverageUtilization: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        currentAverageValue: { number: 3, type: "Quantity" },
      },
    },
    ContainerResourceMetricStatus: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.ResourceName" },
        currentAverageUtilization: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        currentAverageValue: { number: 3, type: "Quantity" },
        container: { number: 4, type: "string" },
      },
    },
    ExternalMetricStatus: {
      fields: {
        metricName: { number: 1, type: "string" },
        metricSelector: {
          number: 2,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        currentValue: { number: 3, type: "Quantity" },
        currentAverageValue: { number: 4, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    HorizontalPodAutoscaler: {
      kind: "HorizontalPodAutoscaler",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "autoscaling/v2beta1.HorizontalPodAutoscalerSpec",
          omitempty: true,
          optional: true,
        },
        status: {
          number: 3,
          type: "autoscaling/v2beta1.HorizontalPodAutoscalerStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscalerList: {
      kind: "HorizontalPodAutoscalerList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "autoscaling/v2beta1.HorizontalPodAutoscaler", list: true },
      },
    },
  };
}
