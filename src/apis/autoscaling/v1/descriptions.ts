import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { autoscalingV2beta1Descriptions } from "../v2beta1/descriptions.js";

export const autoscalingV1Descriptions: TypeDescriptions = withDescriptions(autoscalingV2beta1Descriptions, {
  HorizontalPodAutoscalerSpec: {
    fields: {
      targetCPUUtilizationPercentage:
        "Average CPU use to aim at, as a percentage of what the pods request. Default, if nothing else is measured: 80.",
    },
  },
  HorizontalPodAutoscalerStatus: {
    fields: {
      currentCPUUtilizationPercentage: "Average CPU use last seen, as a percentage of what the pods request.",
    },
  },
  Scale: {
    about: "The number of pods of a workload.",
    fields: {
      spec: "The number of pods wanted.",
      status: "The number of pods there are. Cannot be written here.",
    },
  },
  ScaleSpec: {
    fields: {
      replicas: "How many pods are wanted; writing it scales the workload. Absent: 0.",
    },
  },
  ScaleStatus: {
    fields: {
      replicas: "How many pods there are.",
      selector: "Which pods are counted, as a label selector in the text form that lists take.",
    },
  },
});
