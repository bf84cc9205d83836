import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { podDisruptionBudgets } from "./pod-disruption-budget/resource.js";
import { podSecurityPolicies } from "./pod-security-policy/resource.js";

/** The group `policy`: limits on the disruption and the privileges of pods. */
export function policyResources(context: ApiContext): ResourceDefinition[] {
  return [podDisruptionBudgets(context), podSecurityPolicies(context)];
}
