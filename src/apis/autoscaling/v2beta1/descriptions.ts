import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import {
  autoscalingV2Descriptions,
  describedObject,
  metricName,
  metricSelector,
  share,
} from "../v2/descriptions.js";

const resourceSource = {
  targetAverageUtilization: `The use to aim at, ${share}; excludes targetAverageValue.`,
  targetAverageValue: "The use per pod to aim at, as an amount; excludes targetAverageUtilization.",
};

const resourceUse = {
  currentAverageUtilization: `The last use, ${share}.`,
  currentAverageValue: "The last use per pod, as an amount.",
};

export const autoscalingV2beta1Descriptions: TypeDescriptions = withDescriptions(autoscalingV2Descriptions, {
  ObjectMetricSource: {
    fields: {
      averageValue: "The value per pod to aim at; takes the place of targetValue.",
      metricName,
      selector: metricSelector,
      targetValue: "The value to aim at, whatever the number of pods.",
    },
  },
  PodsMetricSource: {
    fields: {
      metricName,
      selector: metricSelector,
      targetAverageValue: "The value per pod to aim at, averaged over all pods.",
    },
  },
  ResourceMetricSource: { fields: resourceSource },
  ContainerResourceMetricSource: { fields: resourceSource },
  ExternalMetricSource: {
    fields: {
      metricName,
      metricSelector,
      targetAverageValue: "The value per pod to aim at; excludes targetValue.",
      targetValue: "The value to aim at, whatever the number of pods; excludes targetAverageValue.",
    },
  },
  ObjectMetricStatus: {
    fields: {
      averageValue: "The last value, divided by the number of pods.",
      currentValue: "The last value, whatever the number of pods.",
      metricName,
      selector: metricSelector,
      target: describedObject,
    },
  },
  PodsMetricStatus: {
    fields: {
      currentAverageValue: "The last value per pod, averaged over all pods.",
      metricName,
      selector: metricSelector,
    },
  },
  ResourceMetricStatus: { fields: resourceUse },
  ContainerResourceMetricStatus: { fields: resourceUse },
  ExternalMetricStatus: {
    fields: {
      currentAverageValue: "The last value, divided by the number of pods.",
      currentValue: "The last value in total.",
      metricName,
      metricSelector,
    },
  },
});
