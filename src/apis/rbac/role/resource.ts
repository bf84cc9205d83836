import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Role } from "../../gen/rbac-v1.js";
import { roleNameProblems, validateRole } from "../validation.js";

export function roles(context: ApiContext): ResourceDefinition<Role> {
  return defineResource<Role>({
    group: context.naming.group("rbac.authorization"),
    resource: "roles",
    kind: "Role",
    namespaced: true,
    versions: [hub<Role>(context, { version: "v1", type: "rbac/v1.Role" })],
    storage: { version: "v1", prefix: "/roles", decidesAccess: true },
    strategy: strategy<Role>({
      validateName: roleNameProblems,
      allowCreateOnUpdate: true,
      validate: (_context, object) => validateRole(object),
      // Kubernetes validates an updated object twice and reports every error twice.
      validateUpdate: (_context, object) => [...validateRole(object), ...validateRole(object)],
    }),
  });
}
