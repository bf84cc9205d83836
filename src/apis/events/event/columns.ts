import { column, nameColumn, sinceCell } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Event } from "../../gen/core-v1.js";

export const eventColumns: TableColumns<Event> = {
  columns: [
    column("Last Seen", "string", "Time since it was last seen."),
    column("Type", "string", "Normal, or Warning."),
    column("Reason", "string", "Why it happened, in one word."),
    column("Object", "string", "What it is about."),
    column("Subobject", "string", "Part of the object that it is about.", 1),
    column("Source", "string", "Who reported it.", 1),
    column("Message", "string", "What happened."),
    column("First Seen", "string", "Time since it was first seen.", 1),
    column("Count", "string", "How often it was seen.", 1),
    { ...nameColumn, priority: 1 },
  ],
  cells(object, now) {
    const { series, involvedObject } = object;
    const firstSeen = sinceCell(object.firstTimestamp ?? object.eventTime, now);
    const lastSeen = object.lastTimestamp === undefined ? firstSeen : sinceCell(object.lastTimestamp, now);
    const kind = (involvedObject.kind ?? "").toLowerCase();
    const name = involvedObject.name ?? "";
    return [
      series === undefined ? lastSeen : sinceCell(series.lastObservedTime, now),
      object.type ?? "",
      object.reason ?? "",
      name === "" ? kind : `${kind}/${name}`,
      involvedObject.fieldPath ?? "",
      sourceText(object),
      (object.message ?? "").trim(),
      firstSeen,
      series === undefined ? object.count || 1 : (series.count ?? 0),
      object.metadata.name ?? "",
    ];
  },
};

function sourceText({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || reportingComponent;
  const host = source.host || reportingInstance;
  return host === "" ? component : `${component}, ${host}`;
}
