import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";

/**
 * The kind that errors name, where it is another: in the last patches of 1.26, Kubernetes registers deployments, daemon sets and replica
 * sets with their former group first.
 */
export function registeredKind({ level }: ApiContext, kind: string): ResourceDefinition["invalidKind"] {
  return level === "1.26" ? { group: "extensions", kind } : undefined;
}
