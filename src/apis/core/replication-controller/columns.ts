import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells, labelsCell } from "../../definition/template-cells.js";
import type { ReplicationController } from "../../gen/core-v1.js";

export const replicationControllerColumns: TableColumns<ReplicationController> = {
  columns: [
    nameColumn,
    column("Desired", "integer", "Pods that are wanted."),
    column("Current", "integer", "Pods that there are."),
    column("Ready", "integer", "Pods that are ready."),
    ageColumn,
    column("Containers", "string", "Names of the containers of a pod.", 1),
    column("Images", "string", "Images of the containers of a pod.", 1),
    column("Selector", "string", "Labels of the pods that belong to it.", 1),
  ],
  cells(object, now) {
    const { spec, status } = object;
    const { names, images } = containerCells(spec.template);
    return [
      object.metadata.name ?? "",
      spec.replicas ?? 0,
      status.replicas,
      status.readyReplicas ?? 0,
      ageCell(object, now),
      names,
      images,
      labelsCell(spec.selector),
    ];
  },
};
