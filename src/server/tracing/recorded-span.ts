import {
  type Attributes,
  defaultTextMapSetter,
  type HrTime,
  ROOT_CONTEXT,
  type SpanContext,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { type InstrumentationScope, millisToHrTime, W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import type { IdGenerator, ReadableSpan, TimedEvent } from "@opentelemetry/sdk-trace-base";
import type { Span, SpanAttributes, SpanKind } from "../../telemetry/span.js";

/** What all spans of a server share. */
export interface SpanRecorder {
  readonly clock: SpanClock;
  readonly resource: Resource;
  readonly scope: InstrumentationScope;
  readonly ids: IdGenerator;
  /** Takes each span when it has ended. */
  readonly ended: (span: ReadableSpan) => void;
}

/** What the spans of a request share. */
interface RequestTrace {
  readonly recorder: SpanRecorder;
  /** Continued from the client, or undefined. */
  readonly remote: SpanContext | undefined;
  readonly traceId: string;
  /** From the monotonic clock to the time of day. */
  readonly offsetMs: number;
}

/** Milliseconds between the monotonic clock and the time of day, to the microsecond, for all spans the same until that clock is set. */
export class SpanClock {
  #offsetMs = Number.NEGATIVE_INFINITY;

  /** `nowMs`: by `performance.now`. */
  offsetAt(nowMs: number): number {
    // `Date.now` has lost up to a millisecond: the largest difference is the right one.
    const atLeastMs = Date.now() - nowMs;
    if (atLeastMs > this.#offsetMs || atLeastMs < this.#offsetMs - 1) this.#offsetMs = atLeastMs;
    return this.#offsetMs;
  }
}

interface RecordedEvent {
  readonly name: string;
  readonly atMs: number;
}

/** The numbers of OpenTelemetry's `SpanKind`. */
const kindNumbers = { internal: 0, server: 1, client: 2 } as const satisfies Record<SpanKind, number>;
const unset: SpanStatus = { code: SpanStatusCode.UNSET };
const none: never[] = [];
const noAttributes: Attributes = {};
const propagator = new W3CTraceContextPropagator();

/**
 * A span that keeps only what it is told. The SDK reads its form of it from here when it sends the span: spans of the SDK cost the request
 * twice as much.
 */
export class RecordedSpan implements Span, ReadableSpan {
  readonly name: string;
  readonly kind: number;
  readonly parentSpanContext?: SpanContext;
  readonly #trace: RequestTrace;
  readonly #startMs: number;
  #endMs: number | undefined;
  #attributes: SpanAttributes | undefined;
  #events: RecordedEvent[] | undefined;
  #failure: string | undefined;
  #context: SpanContext | undefined;

  private constructor(
    name: string,
    kind: SpanKind,
    startMs: number,
    requestTrace: RequestTrace,
    parent: SpanContext | undefined,
  ) {
    this.name = name;
    this.kind = kindNumbers[kind];
    this.#startMs = startMs;
    this.#trace = requestTrace;
    if (parent !== undefined) this.parentSpanContext = parent;
  }

  /** The first span of a request. `remote`: the client's span above it. */
  static first(name: string, recorder: SpanRecorder, remote: SpanContext | undefined): RecordedSpan {
    const startMs = performance.now();
    const requestTrace: RequestTrace = {
      recorder,
      remote,
      traceId: remote?.traceId ?? recorder.ids.generateTraceId(),
      offsetMs: recorder.clock.offsetAt(startMs),
    };
    return new RecordedSpan(name, "server", startMs, requestTrace, remote);
  }

  child(name: string, kind: SpanKind = "internal", startedAtMs: number = performance.now()): RecordedSpan {
    return new RecordedSpan(name, kind, startedAtMs, this.#trace, this.spanContext());
  }

  setAttributes(attributes: SpanAttributes): void {
    if (this.#attributes === undefined) this.#attributes = attributes;
    else Object.assign(this.#attributes, attributes);
  }

  addEvent(name: string): void {
    this.#events ??= [];
    this.#events.push({ name, atMs: performance.now() });
  }

  fail(message: string): void {
    this.#failure = message;
  }

  headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    propagator.inject(trace.setSpanContext(ROOT_CONTEXT, this.spanContext()), headers, defaultTextMapSetter);
    return headers;
  }

  end(): void {
    if (this.#endMs !== undefined) return;
    this.#endMs = performance.now();
    this.#trace.recorder.ended(this);
  }

  spanContext(): SpanContext {
    if (this.#context === undefined) {
      const { traceId, remote, recorder } = this.#trace;
      const context: SpanContext = {
        traceId,
        spanId: recorder.ids.generateSpanId(),
        traceFlags: TraceFlags.SAMPLED,
      };
      if (remote?.traceState !== undefined) context.traceState = remote.traceState;
      this.#context = context;
    }
    return this.#context;
  }

  get startTime(): HrTime {
    return this.#timeOf(this.#startMs);
  }

  get endTime(): HrTime {
    return this.#timeOf(this.#endMs ?? this.#startMs);
  }

  get duration(): HrTime {
    return millisToHrTime((this.#endMs ?? this.#startMs) - this.#startMs);
  }

  get ended(): boolean {
    return this.#endMs !== undefined;
  }

  get status(): SpanStatus {
    return this.#failure === undefined ? unset : { code: SpanStatusCode.ERROR, message: this.#failure };
  }

  get attributes(): Attributes {
    return this.#attributes ?? noAttributes;
  }

  get events(): TimedEvent[] {
    return (
      this.#events?.map(({ name, atMs }) => ({
        name,
        time: this.#timeOf(atMs),
        droppedAttributesCount: 0,
      })) ?? none
    );
  }

  get links(): never[] {
    return none;
  }

  get resource(): Resource {
    return this.#trace.recorder.resource;
  }

  get instrumentationScope(): InstrumentationScope {
    return this.#trace.recorder.scope;
  }

  get droppedAttributesCount(): number {
    return 0;
  }

  get droppedEventsCount(): number {
    return 0;
  }

  get droppedLinksCount(): number {
    return 0;
  }

  #timeOf(ms: number): HrTime {
    return millisToHrTime(ms + this.#trace.offsetMs);
  }
}
