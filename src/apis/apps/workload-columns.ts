import { column } from "../definition/columns.js";
import type { ColumnDefinition } from "../definition/table-columns.js";

/** Shown in wide tables only. */
export const containerColumns: readonly ColumnDefinition[] = [
  column("Containers", "string", "Names of the containers of a pod.", 1),
  column("Images", "string", "Images of the containers of a pod.", 1),
];

export const selectorColumn: ColumnDefinition = column(
  "Selector",
  "string",
  "Labels of the pods that belong to it.",
  1,
);
