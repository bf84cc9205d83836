import { GrantIndex } from "../../access/authorization/rbac/grant-index.js";
import { missingRoles, rulesOfUser } from "../../access/authorization/rbac/rbac-authorizer.js";
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "../../apis/gen/rbac-v1.js";
import type { Followable } from "../../informers/follow.js";
import type { Informer } from "../../informers/informer.js";
import type { Informers } from "../../informers/informers.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { HeldRoles } from "../../registry/rbac/escalation-hooks.js";

/** Maintains an index of all roles and bindings, which includes a change before its writer is answered. */
export function followRbac(informers: Informers, builtin: BuiltinRegistries): GrantIndex {
  const index = new GrantIndex();
  for (const resource of ["clusterroles.rbac.authorization", "roles.rbac.authorization"] as const) {
    onEach(
      informers.add({
        source: (): Followable<ClusterRole | Role> => builtin(resource),
        view: (stored) => stored.decode().rules ?? [],
        immediate: true,
      }),
      (namespace, name, rules) => index.setRole(namespace, name, rules),
    );
  }
  for (const resource of [
    "clusterrolebindings.rbac.authorization",
    "rolebindings.rbac.authorization",
  ] as const) {
    onEach(
      informers.add({
        source: (): Followable<ClusterRoleBinding | RoleBinding> => builtin(resource),
        view: (stored) => {
          const { roleRef, subjects = [] } = stored.decode();
          return { roleRef, subjects };
        },
        immediate: true,
      }),
      (namespace, name, view) => index.setBinding(namespace, name, view),
    );
  }
  return index;
}

/** The lookups that escalation checks need. `group` is that of roles. */
export function heldRoles(index: GrantIndex, group: string): HeldRoles {
  return {
    rulesOfUser: (user, namespace) => rulesOfUser(index, user, namespace),
    problemOf: (user, namespace, resourceOf) =>
      missingRoles(index, user, namespace, (kind) => `${resourceOf(kind)}.${group}`),
    rulesOfRole: (ref, namespace) => index.rulesOf(ref, namespace),
  };
}

function onEach<T, V>(
  informer: Informer<T, V>,
  set: (namespace: string, name: string, value: V | undefined) => void,
): void {
  informer.onChange(({ key, value }) => {
    const slash = key.indexOf("/");
    set(key.slice(0, Math.max(0, slash)), key.slice(slash + 1), value);
  });
}
