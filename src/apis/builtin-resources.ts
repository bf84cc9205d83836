import { coreResources } from "./core/resources.js";
import type { ApiContext } from "./definition/api-context.js";
import type { ResourceDefinition } from "./definition/resource-definition.js";
import { rbacResources } from "./rbac/resources.js";

/** Every built-in resource type. */
export function builtinResources(context: ApiContext): readonly ResourceDefinition[] {
  return [...coreResources(context), ...rbacResources(context)];
}
