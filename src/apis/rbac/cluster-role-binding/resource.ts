import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { ClusterRoleBinding } from "../../gen/rbac-v1.js";
import { bindingColumns } from "../binding-columns.js";
import { setBindingDefaults } from "../binding-defaults.js";
import { roleNameProblems, validateBinding, validateBindingUpdate } from "../validation.js";

export function clusterRoleBindings(context: ApiContext): ResourceDefinition<ClusterRoleBinding> {
  const group = context.naming.group("rbac.authorization");
  const rules = { group, roleKinds: ["ClusterRole"], namespaced: false };
  return defineResource<ClusterRoleBinding>({
    group,
    resource: "clusterrolebindings",
    kind: "ClusterRoleBinding",
    namespaced: false,
    versions: [
      hub<ClusterRoleBinding>(context, {
        version: "v1",
        type: "rbac/v1.ClusterRoleBinding",
        setDefaults: (object) => setBindingDefaults(object, group),
      }),
    ],
    storage: { version: "v1", prefix: "/clusterrolebindings", decidesAccess: true },
    strategy: strategy<ClusterRoleBinding>({
      validateName: roleNameProblems,
      allowCreateOnUpdate: true,
      validate: (_context, object) => validateBinding(object, rules),
      validateUpdate: (_context, object, old) => validateBindingUpdate(object, old, rules),
    }),
    columns: bindingColumns,
  });
}
