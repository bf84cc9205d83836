import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { leases } from "./lease/resource.js";
import { leaseCandidates } from "./lease-candidate/resource.js";

export function coordinationResources(context: ApiContext): ResourceDefinition[] {
  return [leaseCandidates(context), leases(context)];
}
