import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { priorityClasses } from "./priority-class/resource.js";

export function schedulingResources(context: ApiContext): ResourceDefinition[] {
  return [priorityClasses(context)];
}
