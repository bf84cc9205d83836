import type { FieldError } from "../../../apimachinery/field-error.js";
import type { HorizontalPodAutoscaler } from "../../gen/autoscaling-v2.js";

export function validateHorizontalPodAutoscaler(_object: HorizontalPodAutoscaler): FieldError[] {
  return [];
}

export function validateHorizontalPodAutoscalerStatus(_object: HorizontalPodAutoscaler): FieldError[] {
  return [];
}
