import type { RoleRef, Subject } from "../gen/rbac-v1.js";

/** What bindings of both scopes have in common. */
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
