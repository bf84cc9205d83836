import { GrantIndex } from "../../access/authorization/rbac/grant-index.js";
import { missingRoles, rulesOfUser } from "../../access/authorization/rbac/rbac-authorizer.js";
import type { ApiObject } from "../../apimachinery/meta.js";
import type { Role, RoleBinding } from "../../apis/gen/rbac-v1.js";
import type { Informer } from "../../informers/informer.js";
import type { Informers } from "../../informers/informers.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { HeldRoles } from "../../registry/rbac/escalation-hooks.js";
import type { StoredObject } from "../../storage/object-store.js";

/** Maintains an index of all roles and bindings, which includes a change before its writer is answered. */
export function followRbac(
  informers: Informers,
  registry: (group: string, resource: string) => ResourceRegistry,
  group: string,
): GrantIndex {
  const index = new GrantIndex();
  const informer = <V>(resource: string, view: (stored: StoredObject<ApiObject>) => V) =>
    informers.add({ source: () => registry(group, resource), view, immediate: true });
  for (const resource of ["clusterroles", "roles"]) {
    // The registries of these resources hold roles alone.
    onEach(
      informer(resource, (stored) => (stored.decode() as Role).rules ?? []),
      (namespace, name, rules) => index.setRole(namespace, name, rules),
    );
  }
  for (const resource of ["clusterrolebindings", "rolebindings"]) {
    onEach(
      informer(resource, (stored) => {
        const { roleRef, subjects = [] } = stored.decode() as RoleBinding; // as above
        return { roleRef, subjects };
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
    problemOf: (user, namespace) => missingRoles(index, user, namespace, group),
    rulesOfRole: (ref, namespace) => index.rulesOf(ref, namespace),
  };
}

function onEach<V>(
  informer: Informer<ApiObject, V>,
  set: (namespace: string, name: string, value: V | undefined) => void,
): void {
  informer.onChange(({ key, value }) => {
    const slash = key.indexOf("/");
    set(key.slice(0, Math.max(0, slash)), key.slice(slash + 1), value);
  });
}
