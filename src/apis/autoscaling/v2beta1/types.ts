import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { autoscalingV2beta2Types } from "../v2beta2/types.js";

/** Has no behavior, and separate target fields for each type of metric. */
export const autoscalingV2beta1Types: TypePackage = siblingVersion(
  "autoscaling/v2beta1",
  autoscalingV2beta2Types,
  () => ({
    without: [
      "HorizontalPodAutoscalerBehavior",
      "HPAScalingRules",
      "HPAScalingPolicy",
      "MetricIdentifier",
      "MetricTarget",
      "MetricValueStatus",
    ],
    changed: { HorizontalPodAutoscalerSpec: { fields: { behavior: false } } },
    types: {
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
          currentAverageValue: {
            number: 4,
            type: "Quantity",
            pointer: true,
            omitempty: true,
            optional: true,
          },
        },
      },
    },
  }),
);
