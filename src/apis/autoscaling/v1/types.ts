import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const autoscalingV1Types: TypePackage = { name: "autoscaling/v1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    CrossVersionObjectReference: {
      structType: "atomic",
      fields: {
        kind: { number: 1, type: "string" },
        name: { number: 2, type: "string" },
        apiVersion: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    HorizontalPodAutoscalerSpec: {
      fields: {
        scaleTargetRef: { number: 1, type: "autoscaling/v1.CrossVersionObjectReference" },
        minReplicas: { number: 2, type: "int32", pointer: true, omitempty: true, optional: true },
        maxReplicas: { number: 3, type: "int32" },
        targetCPUUtilizationPercentage: {
          number: 4,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscalerStatus: {
      fields: {
        observedGeneration: { number: 1, type: "int64", pointer: true, omitempty: true, optional: true },
        lastScaleTime: { number: 2, type: "Time", pointer: true, omitempty: true, optional: true },
        currentReplicas: { number: 3, type: "int32" },
        desiredReplicas: { number: 4, type: "int32" },
        currentCPUUtilizationPercentage: {
          number: 5,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscaler: {
      kind: "HorizontalPodAutoscaler",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "autoscaling/v1.HorizontalPodAutoscalerSpec",
          omitempty: true,
          optional: true,
        },
        status: {
          number: 3,
          type: "autoscaling/v1.HorizontalPodAutoscalerStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscalerList: {
      kind: "HorizontalPodAutoscalerList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "autoscaling/v1.HorizontalPodAutoscaler", list: true },
      },
    },
    Scale: {
      kind: "Scale",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "autoscaling/v1.ScaleSpec", omitempty: true, optional: true },
        status: { number: 3, type: "autoscaling/v1.ScaleStatus", omitempty: true, optional: true },
      },
    },
    ScaleSpec: {
      fields: {
        replicas: { number: 1, type: "int32", omitempty: true, optional: true },
      },
    },
    ScaleStatus: {
      fields: {
        replicas: { number: 1, type: "int32" },
        selector: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    MetricSpec: {
      fields: {
        type: {
          number: 1,
          type: "string",
          enum: ["Object", "Pods", "Resource", "ContainerResource", "External"],
          elementName: "v1.MetricSourceType",
        },
        object: {
          number: 2,
          type: "autoscaling/v1.ObjectMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        pods: {
          number: 3,
          type: "autoscaling/v1.PodsMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resource: {
          number: 4,
          type: "autoscaling/v1.ResourceMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        containerResource: {
          number: 7,
          type: "autoscaling/v1.ContainerResourceMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        external: {
          number: 5,
          type: "autoscaling/v1.ExternalMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ObjectMetricSource: {
      fields: {
        target: { number: 1, type: "autoscaling/v1.CrossVersionObjectReference" },
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
        container: { number: 5, type: "string" },
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
    MetricStatus: {
      fields: {
        type: {
          number: 1,
          type: "string",
          enum: ["Object", "Pods", "Resource", "ContainerResource", "External"],
          elementName: "v1.MetricSourceType",
        },
        object: {
          number: 2,
          type: "autoscaling/v1.ObjectMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        pods: {
          number: 3,
          type: "autoscaling/v1.PodsMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resource: {
          number: 4,
          type: "autoscaling/v1.ResourceMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        containerResource: {
          number: 7,
          type: "autoscaling/v1.ContainerResourceMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        external: {
          number: 5,
          type: "autoscaling/v1.ExternalMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscalerCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.HorizontalPodAutoscalerConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    ObjectMetricStatus: {
      fields: {
        target: { number: 1, type: "autoscaling/v1.CrossVersionObjectReference" },
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
  };
}
