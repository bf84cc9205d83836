import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { ageCell, ageColumn, column, nameColumn } from "../definition/columns.js";
import type { TableColumns } from "../definition/table-columns.js";
import type { Subject } from "../gen/rbac-v1.js";
import type { Binding } from "./binding-defaults.js";

export const bindingColumns: TableColumns<ApiObject & Binding> = {
  columns: [
    nameColumn,
    column("Role", "string", "Kind and name of the role that is granted."),
    ageColumn,
    column("Users", "string", "Users that have the role.", 1),
    column("Groups", "string", "Groups that have the role.", 1),
    column("ServiceAccounts", "string", "Service accounts that have the role, as namespace/name.", 1),
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    `${object.roleRef.kind}/${object.roleRef.name}`,
    ageCell(object, now),
    namesOf(object, "User", (subject) => subject.name),
    namesOf(object, "Group", (subject) => subject.name),
    namesOf(object, "ServiceAccount", (subject) => `${subject.namespace ?? ""}/${subject.name}`),
  ],
};

function namesOf(binding: Binding, kind: string, print: (subject: Subject) => string): string {
  return (binding.subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(print)
    .join(", ");
}
