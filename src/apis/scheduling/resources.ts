import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { podGroups } from "./pod-group/resource.js";
import { priorityClasses } from "./priority-class/resource.js";
import { workloads } from "./workload/resource.js";

export function schedulingResources(context: ApiContext): ResourceDefinition[] {
  return [podGroups(context), priorityClasses(context), workloads(context)];
}
