import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
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
      // Before 1.35, Kubernetes validates an updated object twice and reports every error twice.
      validateUpdate: (_write, object) => {
        const errors = validateRole(object);
        return isAtLeast(context.level, "1.35") ? errors : [...errors, ...errors];
      },
    }),
  });
}
