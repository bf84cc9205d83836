import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { autoscalingV2beta1Types } from "../v2beta1/types.js";

/** Has a CPU target only; the metrics and conditions of later versions are kept in annotations. */
export const autoscalingV1Types: TypePackage = siblingVersion(
  "autoscaling/v1",
  autoscalingV2beta1Types,
  () => ({
    changed: {
      CrossVersionObjectReference: { structType: "atomic" },
      HorizontalPodAutoscalerSpec: {
        fields: {
          metrics: false,
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
          currentMetrics: false,
          conditions: false,
          currentCPUUtilizationPercentage: {
            number: 5,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
          },
        },
      },
      MetricSpec: {
        fields: { type: { enum: ["Object", "Pods", "Resource", "ContainerResource", "External"] } },
      },
      ContainerResourceMetricSource: { fields: { container: { number: 5 } } },
      MetricStatus: {
        fields: { type: { enum: ["Object", "Pods", "Resource", "ContainerResource", "External"] } },
      },
    },
    types: {
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
          replicas: {
            number: 1,
            type: "int32",
            omitempty: true,
            optional: true,
            default: 0,
            before: { "1.34": { default: undefined } },
          },
        },
      },
      ScaleStatus: {
        fields: {
          replicas: { number: 1, type: "int32" },
          selector: { number: 2, type: "string", omitempty: true, optional: true },
        },
      },
    },
  }),
);
