import { metaV1Descriptions } from "../apimachinery/meta-types/descriptions.js";
import type { TypeDescriptions } from "../apimachinery/schema/type-descriptions.js";
import { autoscalingV1Descriptions } from "./autoscaling/v1/descriptions.js";

/** The packages whose types belong to resources of every group: metadata, options, answers, and the scale. */
export const commonTypeDescriptions: Readonly<Record<string, TypeDescriptions>> = {
  "autoscaling/v1": autoscalingV1Descriptions,
  "meta/v1": metaV1Descriptions,
  "meta/v1beta1": metaV1Descriptions,
};
