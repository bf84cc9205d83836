import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { labelSelectorText } from "../../definition/label-selector-text.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells } from "../../definition/template-cells.js";
import type { ReplicaSet } from "../../gen/apps-v1.js";
import { containerColumns, selectorColumn } from "../workload-columns.js";

export const replicaSetColumns: TableColumns<ReplicaSet> = {
  columns: [
    nameColumn,
    column("Desired", "integer", "Pods that are wanted."),
    column("Current", "integer", "Pods that there are."),
    column("Ready", "integer", "Pods that are ready."),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    const { names, images } = containerCells(spec.template);
    return [
      metadata.name ?? "",
      spec.replicas ?? 0,
      status.replicas,
      status.readyReplicas ?? 0,
      ageCell(object, now),
      names,
      images,
      labelSelectorText(spec.selector),
    ];
  },
};
