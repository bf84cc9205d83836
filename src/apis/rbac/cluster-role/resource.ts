import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { ClusterRole } from "../../gen/rbac-v1.js";
import { roleNameProblems, validateClusterRole } from "../validation.js";

export function clusterRoles(context: ApiContext): ResourceDefinition<ClusterRole> {
  return defineResource<ClusterRole>({
    group: context.naming.group("rbac.authorization"),
    resource: "clusterroles",
    kind: "ClusterRole",
    namespaced: false,
    versions: [hub<ClusterRole>(context, { version: "v1", type: "rbac/v1.ClusterRole" })],
    storage: { version: "v1", prefix: "/clusterroles", decidesAccess: true },
    strategy: strategy<ClusterRole>({
      validateName: roleNameProblems,
      allowCreateOnUpdate: true,
      validate: (_write, object) => validateClusterRole(object, context.level),
      // Before 1.35, Kubernetes validates an updated object twice and reports every error twice.
      validateUpdate(_write, object, old) {
        const errors = validateClusterRole(object, context.level, old);
        return isAtLeast(context.level, "1.35") ? errors : [...errors, ...errors];
      },
    }),
  });
}
