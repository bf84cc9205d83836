import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { clusterRoles } from "./cluster-role/resource.js";
import { clusterRoleBindings } from "./cluster-role-binding/resource.js";
import { roles } from "./role/resource.js";
import { roleBindings } from "./role-binding/resource.js";

export function rbacResources(context: ApiContext): ResourceDefinition[] {
  return [clusterRoleBindings(context), clusterRoles(context), roleBindings(context), roles(context)];
}
