import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { labelSelectorText } from "../../definition/label-selector-text.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { NetworkPolicy } from "../../gen/networking-v1.js";

export const networkPolicyColumns: TableColumns<NetworkPolicy> = {
  columns: [
    nameColumn,
    column("Pod-Selector", "string", "Labels of the pods that the policy is about."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    labelSelectorText(object.spec.podSelector),
    ageCell(object, now),
  ],
};
