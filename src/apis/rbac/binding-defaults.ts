import type { RoleRef, Subject } from "../gen/rbac-v1.js";

/** Fields shared by role bindings and cluster role bindings. */
export interface Binding {
  readonly subjects?: Subject[] | undefined;
  readonly roleRef: RoleRef;
}

export function setBindingDefaults(binding: Binding, group: string): void {
  if (binding.roleRef.apiGroup === "") binding.roleRef.apiGroup = group;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ??= group;
  }
}
