import { defaultTextMapSetter, ROOT_CONTEXT, type SpanContext, TraceFlags, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { IdGenerator } from "@opentelemetry/sdk-trace-base";
import type { Span, SpanAttributes, SpanKind } from "../../telemetry/span.js";
import type { EventRecord, SpanRecord } from "../../telemetry/span-record.js";

/** What all spans of a server share. */
export interface SpanRecorder {
  readonly clock: SpanClock;
  readonly ids: IdGenerator;
  /** Takes each span when it has ended. */
  readonly ended: (span: RecordedSpan) => void;
}

/** What the spans of a request share. */
interface RequestTrace {
  readonly recorder: SpanRecorder;
  readonly traceId: string;
  readonly traceState: SpanContext["traceState"];
  /** Offset from the monotonic clock to the time of day. */
  readonly offsetMs: number;
}

/**
 * The offset in milliseconds between the monotonic clock and the time of day, precise to the microsecond, and the same for all spans until
 * that clock is set.
 */
export class SpanClock {
  #offsetMs = Number.NEGATIVE_INFINITY;

  /** `nowMs`: by `performance.now`. */
  offsetAt(nowMs: number): number {
    // `Date.now` has lost up to a millisecond, so the largest difference is right.
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
const propagator = new W3CTraceContextPropagator();

/** A span as plain data; another thread converts it to OpenTelemetry's form. */
export class RecordedSpan implements Span {
  readonly #name: string;
  readonly #kind: number;
  readonly #parentId: string | null;
  readonly #trace: RequestTrace;
  readonly #startMs: number;
  #endMs: number | undefined;
  #attributes: SpanAttributes | undefined;
  #events: RecordedEvent[] | undefined;
  #failure: string | undefined;
  #id: string | undefined;

  private constructor(
    name: string,
    kind: SpanKind,
    startMs: number,
    requestTrace: RequestTrace,
    parentId: string | null,
  ) {
    this.#name = name;
    this.#kind = kindNumbers[kind];
    this.#startMs = startMs;
    this.#trace = requestTrace;
    this.#parentId = parentId;
  }

  /** The first span of a request. `remote`: the client's span above it. */
  static first(name: string, recorder: SpanRecorder, remote: SpanContext | undefined): RecordedSpan {
    const startMs = performance.now();
    const requestTrace: RequestTrace = {
      recorder,
      traceId: remote?.traceId ?? recorder.ids.generateTraceId(),
      traceState: remote?.traceState,
      offsetMs: recorder.clock.offsetAt(startMs),
    };
    return new RecordedSpan(name, "server", startMs, requestTrace, remote?.spanId ?? null);
  }

  child(name: string, kind: SpanKind = "internal", startedAtMs: number = performance.now()): RecordedSpan {
    return new RecordedSpan(name, kind, startedAtMs, this.#trace, this.#ownId());
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
    const { traceId, traceState } = this.#trace;
    const context: SpanContext = { traceId, spanId: this.#ownId(), traceFlags: TraceFlags.SAMPLED };
    if (traceState !== undefined) context.traceState = traceState;
    const headers: Record<string, string> = {};
    propagator.inject(trace.setSpanContext(ROOT_CONTEXT, context), headers, defaultTextMapSetter);
    return headers;
  }

  end(): void {
    if (this.#endMs !== undefined) return;
    this.#endMs = performance.now();
    this.#trace.recorder.ended(this);
  }

  /** Everything it was given so far. */
  record(): SpanRecord {
    const { traceId, traceState, offsetMs } = this.#trace;
    const event = ({ name, atMs }: RecordedEvent): EventRecord => [name, atMs + offsetMs];
    return [
      traceId,
      this.#ownId(),
      this.#parentId,
      this.#name,
      this.#kind,
      this.#startMs + offsetMs,
      (this.#endMs ?? this.#startMs) + offsetMs,
      this.#attributes ?? 0,
      this.#events?.map(event) ?? 0,
      this.#failure ?? 0,
      traceState?.serialize() ?? 0,
    ];
  }

  #ownId(): string {
    this.#id ??= this.#trace.recorder.ids.generateSpanId();
    return this.#id;
  }
}
