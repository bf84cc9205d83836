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

/**
 * The values by the names of both groups, because one stored event matches selectors of either. As one literal: V8 keeps an object that gets so
 * many computed names in three times the memory, and a cluster has more events than anything else.
 */
export function eventFieldValues(event: Event): Record<string, string> {
  const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = event.involvedObject;
  return {
    reason: event.reason ?? "",
    reportingComponent: event.reportingComponent,
    reportingController: event.reportingComponent,
    source: event.source.component || event.reportingComponent,
    type: event.type ?? "",
    "involvedObject.kind": kind ?? "",
    "involvedObject.namespace": namespace ?? "",
    "involvedObject.name": name ?? "",
    "involvedObject.uid": uid ?? "",
    "involvedObject.apiVersion": apiVersion ?? "",
    "involvedObject.resourceVersion": resourceVersion ?? "",
    "involvedObject.fieldPath": fieldPath ?? "",
    "regarding.kind": kind ?? "",
    "regarding.namespace": namespace ?? "",
    "regarding.name": name ?? "",
    "regarding.uid": uid ?? "",
    "regarding.apiVersion": apiVersion ?? "",
    "regarding.resourceVersion": resourceVersion ?? "",
    "regarding.fieldPath": fieldPath ?? "",
  };
}
