import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { flowSchemas } from "./flow-schema/resource.js";
import { priorityLevelConfigurations } from "./priority-level-configuration/resource.js";

export function flowcontrolResources(context: ApiContext): ResourceDefinition[] {
  return [flowSchemas(context), priorityLevelConfigurations(context)];
}
