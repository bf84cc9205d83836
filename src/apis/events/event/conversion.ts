import type { Event } from "../../gen/core-v1.js";
import type { Event as EventV1 } from "../../gen/events-v1.js";

/** The events group renamed some fields and deprecated others; no information is lost in either direction. */
export function eventFromGroup(event: EventV1): Event {
  return {
    metadata: event.metadata,
    involvedObject: event.regarding,
    reason: event.reason,
    message: event.note,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
    type: event.type,
    eventTime: event.eventTime,
    series: event.series,
    action: event.action,
    related: event.related,
    reportingComponent: event.reportingController ?? "",
    reportingInstance: event.reportingInstance ?? "",
  };
}

export function eventToGroup(event: Event): EventV1 {
  return {
    metadata: event.metadata,
    eventTime: event.eventTime,
    series: event.series === undefined ? undefined : { ...event.series, count: event.series.count ?? 0 },
    reportingController: event.reportingComponent,
    reportingInstance: event.reportingInstance,
    action: event.action,
    reason: event.reason,
    regarding: event.involvedObject,
    related: event.related,
    note: event.message,
    type: event.type,
    deprecatedSource: event.source,
    deprecatedFirstTimestamp: event.firstTimestamp,
    deprecatedLastTimestamp: event.lastTimestamp,
    deprecatedCount: event.count,
  };
}
