// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { EventSource as CoreV1EventSource, ObjectReference as CoreV1ObjectReference } from "./core-v1.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface Event {
  metadata: ObjectMeta;
  eventTime?: string | undefined;
  series?: EventSeries | undefined;
  reportingController?: string | undefined;
  reportingInstance?: string | undefined;
  action?: string | undefined;
  reason?: string | undefined;
  regarding: CoreV1ObjectReference;
  related?: CoreV1ObjectReference | undefined;
  note?: string | undefined;
  type?: string | undefined;
  deprecatedSource: CoreV1EventSource;
  deprecatedFirstTimestamp?: string | undefined;
  deprecatedLastTimestamp?: string | undefined;
  deprecatedCount?: number | undefined;
}

export interface EventSeries {
  count: number;
  lastObservedTime?: string | undefined;
}

export interface EventList {
  metadata: ListMeta;
  items?: Event[] | undefined;
}
