import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells } from "../../definition/template-cells.js";
import type { Deployment } from "../../gen/apps-v1.js";
import { selectorCell } from "../selector-cell.js";
import { containerColumns, selectorColumn } from "../workload-columns.js";

export const deploymentColumns: TableColumns<Deployment> = {
  columns: [
    nameColumn,
    column("Ready", "string", "Pods that are ready, of those wanted."),
    column("Up-to-date", "string", "Pods made from the current template."),
    column("Available", "string", "Pods that have been ready for long enough."),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    const { names, images } = containerCells(spec.template);
    return [
      metadata.name ?? "",
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      ageCell(object, now),
      names,
      images,
      selectorCell(spec.selector),
    ];
  },
};
