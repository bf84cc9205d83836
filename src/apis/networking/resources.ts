import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { ingresses } from "./ingress/resource.js";
import { ingressClasses } from "./ingress-class/resource.js";
import { networkPolicies } from "./network-policy/resource.js";

export function networkingResources(context: ApiContext): ResourceDefinition[] {
  return [ingressClasses(context), ingresses(context), networkPolicies(context)];
}
