import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { durationText } from "../../apimachinery/values/age.js";
import type { ColumnDefinition, TableColumns } from "./table-columns.js";

export const nameColumn: ColumnDefinition = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Unique within a namespace for namespaced resources, across the cluster for all others.",
  priority: 0,
};

export const ageColumn: ColumnDefinition = {
  name: "Age",
  type: "string",
  format: "",
  description: "Time since the object was created.",
  priority: 0,
};

export function column(
  name: string,
  type: ColumnDefinition["type"],
  description: string,
  priority = 0,
): ColumnDefinition {
  return { name, type, format: "", description, priority };
}

/** The columns of kinds without columns of their own. */
export const nameAndAge: TableColumns<ApiObject> = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name ?? "", ageCell(object, now)],
};

/** `<unknown>` for an object without creation time. */
export function ageCell(object: ApiObject, now: Date): string {
  return sinceCell(object.metadata.creationTimestamp, now);
}

export function sinceCell(timestamp: string | undefined, now: Date): string {
  if (timestamp === undefined) return "<unknown>";
  return durationText(now.getTime() - Date.parse(timestamp));
}
