import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { horizontalPodAutoscalers } from "./horizontal-pod-autoscaler/resource.js";

/** The group `autoscaling`: the number of pods of a workload. */
export function autoscalingResources(context: ApiContext): ResourceDefinition[] {
  return [horizontalPodAutoscalers(context)];
}
