import type { Event } from "../../gen/core-v1.js";

const objectFields = [
  "kind",
  "namespace",
  "name",
  "uid",
  "apiVersion",
  "resourceVersion",
  "fieldPath",
] as const;

export const coreEventFields: readonly string[] = [
  ...objectFields.map((field) => `involvedObject.${field}`),
  "reason",
  "reportingComponent",
  "source",
  "type",
];

export const eventGroupFields: readonly string[] = [
  ...objectFields.map((field) => `regarding.${field}`),
  "reason",
  "reportingController",
  "type",
];

/** The values by the names of both groups, because one stored event matches selectors of either. */
export function eventFieldValues(event: Event): Record<string, string> {
  const values: Record<string, string> = {
    reason: event.reason ?? "",
    reportingComponent: event.reportingComponent,
    reportingController: event.reportingComponent,
    source: event.source.component || event.reportingComponent,
    type: event.type ?? "",
  };
  for (const field of objectFields) {
    const value = event.involvedObject[field] ?? "";
    values[`involvedObject.${field}`] = value;
    values[`regarding.${field}`] = value;
  }
  return values;
}
