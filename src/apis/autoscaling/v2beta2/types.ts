import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { autoscalingV2Types } from "../v2/types.js";

/** The same as v2, without list types; the status always has its counts and conditions. */
export const autoscalingV2beta2Types: TypePackage = siblingVersion(
  "autoscaling/v2beta2",
  autoscalingV2Types,
  () => ({
    changed: {
      HorizontalPodAutoscalerSpec: { fields: { metrics: { listType: undefined } } },
      HPAScalingRules: { fields: { policies: { listType: undefined }, tolerance: false } },
      HorizontalPodAutoscalerStatus: {
        fields: {
          currentReplicas: { omitempty: undefined, optional: undefined },
          currentMetrics: { listType: undefined },
          conditions: {
            omitempty: undefined,
            patchStrategy: undefined,
            patchMergeKey: undefined,
            listType: undefined,
            listMapKeys: undefined,
          },
        },
      },
    },
  }),
);
