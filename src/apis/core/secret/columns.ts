import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Secret } from "../../gen/core-v1.js";

export const secretColumns: TableColumns<Secret> = {
  columns: [
    nameColumn,
    column("Type", "string", "What the secret is for, which decides on the keys it must have."),
    column("Data", "string", "Number of entries."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.type ?? "",
    Object.keys(object.data ?? {}).length,
    ageCell(object, now),
  ],
};
