import { ageCell, ageColumn, column, nameColumn, sinceCell } from "../../definition/columns.js";
import { labelSelectorText } from "../../definition/label-selector-text.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells } from "../../definition/template-cells.js";
import type { CronJob } from "../../gen/batch-v1.js";

export const cronJobColumns: TableColumns<CronJob> = {
  columns: [
    nameColumn,
    column("Schedule", "string", "When jobs are made, in the notation of cron."),
    { ...column("Timezone", "string", "Time zone of the schedule."), since: "1.30" },
    column("Suspend", "boolean", "Whether no new jobs are made."),
    column("Active", "integer", "Jobs that are running."),
    column("Last Schedule", "string", "Time since a job was last made."),
    ageColumn,
    column("Containers", "string", "Names of the containers of a pod.", 1),
    column("Images", "string", "Images of the containers of a pod.", 1),
    column("Selector", "string", "Labels of the pods that belong to its jobs.", 1),
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    const { names, images } = containerCells(spec.jobTemplate.spec.template);
    return [
      metadata.name ?? "",
      spec.schedule,
      spec.timeZone ?? "<none>",
      suspendCell(spec.suspend),
      status.active?.length ?? 0,
      status.lastScheduleTime === undefined ? "<none>" : sinceCell(status.lastScheduleTime, now),
      ageCell(object, now),
      names,
      images,
      labelSelectorText(spec.jobTemplate.spec.selector),
    ];
  },
};

function suspendCell(suspend: boolean | undefined): string {
  if (suspend === undefined) return "<unset>";
  return suspend ? "True" : "False";
}
