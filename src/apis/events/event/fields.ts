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
 * Values under the names of both groups, because a stored event must match selectors of either. Written as one literal: with so many
 * computed names, V8 would use three times the memory, and no kind has more objects than events.
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
