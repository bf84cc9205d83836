import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ConfigMap } from "../../gen/core-v1.js";

export const configMapColumns: TableColumns<ConfigMap> = {
  columns: [nameColumn, column("Data", "string", "Number of entries."), ageColumn],
  cells: (object, now) => [
    object.metadata.name ?? "",
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    ageCell(object, now),
  ],
};
