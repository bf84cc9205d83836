import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Scale } from "../../gen/autoscaling-v1.js";

const counts = [
  column("Desired", "integer", "Replicas that are wanted."),
  column("Available", "integer", "Replicas that there are."),
];

export const scaleColumns: TableColumns<Scale> = {
  columns: [column("Name", "string", nameColumn.description), ...counts, ageColumn],
  cells(scale, now) {
    const { metadata, spec, status } = scale;
    return [metadata.name ?? "", spec.replicas ?? 0, status.replicas, ageCell(scale, now)];
  },
};

/** For the scale of a custom resource, which has more columns. */
export const customScaleColumns: TableColumns<Scale> = {
  ...scaleColumns,
  columns: [nameColumn, ...counts, { ...ageColumn, type: "date" }],
};
