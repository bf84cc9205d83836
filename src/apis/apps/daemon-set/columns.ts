import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { labelSelectorText } from "../../definition/label-selector-text.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells, labelsCell } from "../../definition/template-cells.js";
import type { DaemonSet } from "../../gen/apps-v1.js";
import { containerColumns, selectorColumn } from "../workload-columns.js";

export const daemonSetColumns: TableColumns<DaemonSet> = {
  columns: [
    nameColumn,
    column("Desired", "integer", "Nodes that should run a pod."),
    column("Current", "integer", "Nodes that should run a pod and do."),
    column("Ready", "integer", "Nodes whose pod is ready."),
    column("Up-to-date", "integer", "Nodes whose pod is made from the current template."),
    column("Available", "integer", "Nodes whose pod has been ready for long enough."),
    column("Node Selector", "string", "Labels of the nodes that should run a pod."),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    const { names, images } = containerCells(spec.template);
    return [
      metadata.name ?? "",
      status.desiredNumberScheduled,
      status.currentNumberScheduled,
      status.numberReady,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelsCell(spec.template.spec.nodeSelector),
      ageCell(object, now),
      names,
      images,
      labelSelectorText(spec.selector),
    ];
  },
};
