import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells } from "../../definition/template-cells.js";
import type { StatefulSet } from "../../gen/apps-v1.js";
import { containerColumns } from "../workload-columns.js";

export const statefulSetColumns: TableColumns<StatefulSet> = {
  columns: [
    nameColumn,
    column("Ready", "string", "Pods that are ready, of those wanted."),
    ageColumn,
    ...containerColumns,
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    const { names, images } = containerCells(spec.template);
    return [
      metadata.name ?? "",
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      ageCell(object, now),
      names,
      images,
    ];
  },
};
