import { durationText } from "../../../apimachinery/values/age.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { labelSelectorText } from "../../definition/label-selector-text.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells } from "../../definition/template-cells.js";
import type { Job } from "../../gen/batch-v1.js";

export const jobColumns: TableColumns<Job> = {
  columns: [
    nameColumn,
    { ...column("Status", "string", "How far it is."), since: "1.30" },
    column("Completions", "string", "Pods that succeeded, of those wanted."),
    column("Duration", "string", "From start to completion, or until now."),
    ageColumn,
    column("Containers", "string", "Names of the containers of a pod.", 1),
    column("Images", "string", "Images of the containers of a pod.", 1),
    column("Selector", "string", "Labels of the pods that belong to it.", 1),
  ],
  cells(object, now) {
    const { names, images } = containerCells(object.spec.template);
    return [
      object.metadata.name ?? "",
      statusCell(object),
      completionsCell(object),
      durationCell(object, now),
      ageCell(object, now),
      names,
      images,
      labelSelectorText(object.spec.selector),
    ];
  },
};

/** The first of these conditions that holds is the status. */
const decisiveConditions = ["Complete", "Failed"] as const;
const laterConditions = ["Suspended", "FailureTarget", "SuccessCriteriaMet"] as const;

function statusCell({ metadata, status }: Job): string {
  const holds = (type: string) =>
    (status.conditions ?? []).some((condition) => condition.type === type && condition.status === "True");
  const decided = decisiveConditions.find(holds);
  if (decided !== undefined) return decided;
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  return laterConditions.find(holds) ?? "Running";
}

function completionsCell({ spec, status }: Job): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell({ status }: Job, now: Date): string {
  if (status.startTime === undefined) return "";
  const end = status.completionTime === undefined ? now.getTime() : Date.parse(status.completionTime);
  return durationText(end - Date.parse(status.startTime));
}
