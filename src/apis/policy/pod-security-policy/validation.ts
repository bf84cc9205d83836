import type { FieldError } from "../../../apimachinery/field-error.js";
import type { PodSecurityPolicy } from "../../gen/policy-v1beta1.js";

export function validatePodSecurityPolicy(_object: PodSecurityPolicy): FieldError[] {
  return [];
}
