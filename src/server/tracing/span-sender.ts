import {
  DiagLogLevel,
  diag,
  type HrTime,
  type SpanContext,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import { millisToHrTime, TraceState } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { EventRecord, SpanRecord } from "../../telemetry/span-record.js";
import type { SpanOutlet } from "./span-outlet.js";

/** Where spans are sent, and on whose behalf. */
export interface SpanDestination {
  /** In the exporter's form: `http://localhost:4317`. */
  readonly endpoint: string;
  readonly service: SpanService;
}

/** How the collector identifies this server. */
export interface SpanService {
  readonly name: string;
  readonly version: string;
  readonly instance: string;
}

/** Spans that may wait while the collector is slow, eight times the SDK's own default. */
const waitingSpansMax = 16_384;

/** The OpenTelemetry SDK, which sends spans in batches to a collector by OTLP over gRPC. */
export class SpanSender implements SpanOutlet {
  readonly #processor: BatchSpanProcessor;
  readonly #shared: Pick<ReadableSpan, "resource" | "instrumentationScope">;

  /** `onFailure` receives why spans could not be sent. */
  constructor({ endpoint, service }: SpanDestination, onFailure: (reason: string) => void) {
    // The SDK reports failures and dropped spans only through its logger.
    const tell = (text: string): void => onFailure(messageOf(text));
    diag.setLogger(
      { error: tell, warn: tell, info() {}, debug() {}, verbose() {} },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
    const isSizeGiven = process.env.OTEL_BSP_MAX_QUEUE_SIZE !== undefined;
    this.#processor = new BatchSpanProcessor(
      new OTLPTraceExporter({ url: endpoint }),
      isSizeGiven ? {} : { maxQueueSize: waitingSpansMax },
    );
    this.#shared = {
      resource: resourceFromAttributes({
        "service.name": service.name,
        "service.version": service.version,
        "service.instance.id": service.instance,
      }),
      instrumentationScope: { name: service.name },
    };
  }

  send(batch: string): void {
    const records: readonly SpanRecord[] = JSON.parse(batch);
    for (const record of records) this.#processor.onEnd({ ...this.#shared, ...readable(record) });
  }

  async close(withinMs: number): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    // Failures of single batches were reported before.
    await Promise.race([this.#processor.shutdown().catch(() => undefined), late]);
  }
}

/** The SDK describes an error as JSON, with its stack. */
function messageOf(text: string): string {
  try {
    const described: unknown = JSON.parse(text);
    const isError = typeof described === "object" && described !== null && "message" in described;
    return isError ? String(described.message) : text;
  } catch {
    return text;
  }
}

const unset: SpanStatus = { code: SpanStatusCode.UNSET };

function readable(record: SpanRecord): Omit<ReadableSpan, "resource" | "instrumentationScope"> {
  const [traceId, spanId, parentId, name, kind, startMs, endMs, attributes, events, failure, state] = record;
  const contextOf = (id: string): SpanContext => ({
    traceId,
    spanId: id,
    traceFlags: TraceFlags.SAMPLED,
    ...(state !== 0 && { traceState: new TraceState(state) }),
  });
  const context = contextOf(spanId);
  return {
    name,
    kind,
    spanContext: () => context,
    ...(parentId !== null && { parentSpanContext: contextOf(parentId) }),
    startTime: millisToHrTime(startMs),
    endTime: millisToHrTime(endMs),
    duration: millisToHrTime(endMs - startMs),
    ended: true,
    status: failure === 0 ? unset : { code: SpanStatusCode.ERROR, message: failure },
    attributes: attributes === 0 ? {} : attributes,
    events: events === 0 ? [] : events.map(timedEvent),
    links: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function timedEvent([name, atMs]: EventRecord): {
  readonly name: string;
  readonly time: HrTime;
  readonly droppedAttributesCount: number;
} {
  return { name, time: millisToHrTime(atMs), droppedAttributesCount: 0 };
}
