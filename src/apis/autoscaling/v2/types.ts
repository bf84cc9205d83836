import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const autoscalingV2Types = typePackage("autoscaling/v2", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    HorizontalPodAutoscaler: {
      kind: "HorizontalPodAutoscaler",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "autoscaling/v2.HorizontalPodAutoscalerSpec",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined, optional: true } },
        },
        status: {
          number: 3,
          type: "autoscaling/v2.HorizontalPodAutoscalerStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscalerSpec: {
      fields: {
        scaleTargetRef: { number: 1, type: "autoscaling/v2.CrossVersionObjectReference" },
        minReplicas: { number: 2, type: "int32", pointer: true, omitempty: true, optional: true },
        maxReplicas: { number: 3, type: "int32", rules: { min: 1 } },
        metrics: {
          number: 4,
          type: "autoscaling/v2.MetricSpec",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        behavior: {
          number: 5,
          type: "autoscaling/v2.HorizontalPodAutoscalerBehavior",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    CrossVersionObjectReference: {
      fields: {
        kind: { number: 1, type: "string", rules: { required: true, format: "pathSegment" } },
        name: { number: 2, type: "string", rules: { required: true, format: "pathSegment" } },
        apiVersion: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    MetricSpec: {
      fields: {
        type: {
          number: 1,
          type: "string",
          elementName: "v2.MetricSourceType",
          rules: { supported: ["ContainerResource", "External", "Object", "Pods", "Resource"] },
        },
        object: {
          number: 2,
          type: "autoscaling/v2.ObjectMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        pods: {
          number: 3,
          type: "autoscaling/v2.PodsMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resource: {
          number: 4,
          type: "autoscaling/v2.ResourceMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        containerResource: {
          number: 7,
          type: "autoscaling/v2.ContainerResourceMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        external: {
          number: 5,
          type: "autoscaling/v2.ExternalMetricSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    HorizontalPodAutoscalerBehavior: {
      fields: {
        scaleUp: {
          number: 1,
          type: "autoscaling/v2.HPAScalingRules",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        scaleDown: {
          number: 2,
          type: "autoscaling/v2.HPAScalingRules",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    HPAScalingRules: {
      fields: {
        stabilizationWindowSeconds: {
          number: 3,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: {
            min: 0,
            max: 3600,
            range: {
              below: "must be greater than or equal to zero",
              above: "must be less than or equal to 3600",
            },
          },
        },
        selectPolicy: {
          number: 1,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          elementName: "v2.ScalingPolicySelect",
          rules: { supported: ["Disabled", "Max", "Min"] },
        },
        policies: {
          number: 2,
          type: "autoscaling/v2.HPAScalingPolicy",
          list: true,
          omitempty: true,
          // Defaults fill in only for absent policies.
          keepsEmpty: true,
          optional: true,
          listType: "atomic",
          rules: { required: "must specify at least one Policy" },
        },
        tolerance: {
          number: 4,
          type: "Quantity",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "HPAConfigurableTolerance",
          since: "1.33",
          rules: { min: 0 },
        },
      },
    },
    HPAScalingPolicy: {
      fields: {
        type: {
          number: 1,
          type: "string",
          elementName: "v2.HPAScalingPolicyType",
          rules: { supported: ["Percent", "Pods"] },
        },
        value: { number: 2, type: "int32", rules: { min: 1, range: "must be greater than zero" } },
        periodSeconds: {
          number: 3,
          type: "int32",
          rules: {
            min: 1,
            max: 1800,
            range: { below: "must be greater than zero", above: "must be less than or equal to 1800" },
          },
        },
      },
    },
    ObjectMetricSource: {
      fields: {
        describedObject: { number: 1, type: "autoscaling/v2.CrossVersionObjectReference" },
        target: { number: 2, type: "autoscaling/v2.MetricTarget" },
        metric: { number: 3, type: "autoscaling/v2.MetricIdentifier" },
      },
    },
    PodsMetricSource: {
      fields: {
        metric: { number: 1, type: "autoscaling/v2.MetricIdentifier" },
        target: { number: 2, type: "autoscaling/v2.MetricTarget" },
      },
    },
    ResourceMetricSource: {
      fields: {
        name: {
          number: 1,
          type: "string",
          elementName: "v1.ResourceName",
          rules: { required: "must specify a resource name" },
        },
        target: { number: 2, type: "autoscaling/v2.MetricTarget" },
      },
    },
    ContainerResourceMetricSource: {
      fields: {
        name: {
          number: 1,
          type: "string",
          elementName: "v1.ResourceName",
          rules: { required: "must specify a resource name" },
        },
        target: { number: 2, type: "autoscaling/v2.MetricTarget" },
        container: {
          number: 3,
          type: "string",
          rules: { required: "must specify a container", format: "dnsLabel" },
        },
      },
    },
    ExternalMetricSource: {
      fields: {
        metric: { number: 1, type: "autoscaling/v2.MetricIdentifier" },
        target: { number: 2, type: "autoscaling/v2.MetricTarget" },
      },
    },
    MetricIdentifier: {
      fields: {
        name: {
          number: 1,
          type: "string",
          rules: { required: "must specify a metric name", format: "pathSegment" },
        },
        selector: {
          number: 2,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    MetricTarget: {
      fields: {
        type: {
          number: 1,
          type: "string",
          elementName: "v2.MetricTargetType",
          rules: { supported: ["Utilization", "Value", "AverageValue"] },
        },
        value: { number: 2, type: "Quantity", pointer: true, omitempty: true, optional: true },
        averageValue: { number: 3, type: "Quantity", pointer: true, omitempty: true, optional: true },
        averageUtilization: {
          number: 4,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1 },
        },
      },
    },
    HorizontalPodAutoscalerStatus: {
      fields: {
        observedGeneration: { number: 1, type: "int64", pointer: true, omitempty: true, optional: true },
        lastScaleTime: { number: 2, type: "Time", pointer: true, omitempty: true, optional: true },
        currentReplicas: { number: 3, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        desiredReplicas: { number: 4, type: "int32", rules: { min: 0 } },
        currentMetrics: {
          number: 5,
          type: "autoscaling/v2.MetricStatus",
          list: true,
          optional: true,
          listType: "atomic",
        },
        conditions: {
          number: 6,
          type: "autoscaling/v2.HorizontalPodAutoscalerCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    HorizontalPodAutoscalerCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v2.HorizontalPodAutoscalerConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    MetricStatus: {
      fields: {
        type: { number: 1, type: "string", elementName: "v2.MetricSourceType" },
        object: {
          number: 2,
          type: "autoscaling/v2.ObjectMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        pods: {
          number: 3,
          type: "autoscaling/v2.PodsMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resource: {
          number: 4,
          type: "autoscaling/v2.ResourceMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        containerResource: {
          number: 7,
          type: "autoscaling/v2.ContainerResourceMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        external: {
          number: 5,
          type: "autoscaling/v2.ExternalMetricStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ObjectMetricStatus: {
      fields: {
        metric: { number: 1, type: "autoscaling/v2.MetricIdentifier" },
        current: { number: 2, type: "autoscaling/v2.MetricValueStatus" },
        describedObject: { number: 3, type: "autoscaling/v2.CrossVersionObjectReference" },
      },
    },
    PodsMetricStatus: {
      fields: {
        metric: { number: 1, type: "autoscaling/v2.MetricIdentifier" },
        current: { number: 2, type: "autoscaling/v2.MetricValueStatus" },
      },
    },
    ResourceMetricStatus: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.ResourceName" },
        current: { number: 2, type: "autoscaling/v2.MetricValueStatus" },
      },
    },
    ContainerResourceMetricStatus: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.ResourceName" },
        current: { number: 2, type: "autoscaling/v2.MetricValueStatus" },
        container: { number: 3, type: "string" },
      },
    },
    ExternalMetricStatus: {
      fields: {
        metric: { number: 1, type: "autoscaling/v2.MetricIdentifier" },
        current: { number: 2, type: "autoscaling/v2.MetricValueStatus" },
      },
    },
    MetricValueStatus: {
      fields: {
        value: { number: 1, type: "Quantity", pointer: true, omitempty: true, optional: true },
        averageValue: { number: 2, type: "Quantity", pointer: true, omitempty: true, optional: true },
        averageUtilization: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    HorizontalPodAutoscalerList: listKind("autoscaling/v2.HorizontalPodAutoscaler"),
  };
}
