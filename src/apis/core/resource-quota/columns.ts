import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ResourceQuota } from "../../gen/core-v1.js";

export const resourceQuotaColumns: TableColumns<ResourceQuota> = {
  columns: [
    nameColumn,
    { ...ageColumn, until: "1.33" },
    column("Request", "string", "What is used and what may be used, of everything that is not a limit."),
    column("Limit", "string", "What is used and what may be used of limits."),
    { ...ageColumn, since: "1.33" },
  ],
  cells(object, now) {
    const names = Object.keys(object.status.hard ?? {}).sort();
    const isLimit = (name: string): boolean => name.startsWith("limits.");
    const age = ageCell(object, now);
    return [
      object.metadata.name ?? "",
      age,
      usage(
        object,
        names.filter((name) => !isLimit(name)),
      ),
      usage(object, names.filter(isLimit)),
      age,
    ];
  },
};

function usage({ status }: ResourceQuota, names: readonly string[]): string {
  return names
    .map((name) => `${name}: ${status.used?.[name] ?? "0"}/${status.hard?.[name] ?? "0"}`)
    .join(", ");
}
