import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { RoleBinding } from "../../gen/rbac-v1.js";
import { bindingColumns } from "../binding-columns.js";
import { setBindingDefaults } from "../binding-defaults.js";
import { roleNameProblems, validateBinding, validateBindingUpdate } from "../validation.js";

export function roleBindings(context: ApiContext): ResourceDefinition<RoleBinding> {
  const group = context.naming.group("rbac.authorization");
  const rules = { group, roleKinds: ["Role", "ClusterRole"], namespaced: true };
  return defineResource<RoleBinding>({
    group,
    resource: "rolebindings",
    kind: "RoleBinding",
    namespaced: true,
    versions: [
      hub<RoleBinding>(context, {
        version: "v1",
        type: "rbac/v1.RoleBinding",
        setDefaults: (object) => setBindingDefaults(object, group),
      }),
    ],
    storage: { version: "v1", prefix: "/rolebindings", decidesAccess: true },
    strategy: strategy<RoleBinding>({
      validateName: roleNameProblems,
      allowCreateOnUpdate: true,
      validate: (_context, object) => validateBinding(object, rules),
      validateUpdate: (_context, object, old) => validateBindingUpdate(object, old, rules),
    }),
    columns: bindingColumns,
  });
}
