import type { SpanAttributes } from "./span.js";

/** An ended span, in the form in which batches go to the thread that sends them: as JSON. */
export type SpanRecord = readonly [
  traceId: string,
  spanId: string,
  /** Null for the first span of a trace. */
  parentId: string | null,
  name: string,
  /** A number of OpenTelemetry's `SpanKind`. */
  kind: number,
  /** Milliseconds since 1970, to the microsecond. */
  startMs: number,
  endMs: number,
  /** 0 means none, here and below. */
  attributes: SpanAttributes | 0,
  events: readonly EventRecord[] | 0,
  /** Why the step failed. */
  failure: string | 0,
  /** The `tracestate` of the client. */
  traceState: string | 0,
];

export type EventRecord = readonly [name: string, atMs: number];
