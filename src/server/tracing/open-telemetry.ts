import type { SpanContext } from "@opentelemetry/api";
import type { Tracer } from "../../serving/filters/trace-requests.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import { RecordedSpan, SpanClock, type SpanRecorder } from "./recorded-span.js";
import type { TracingConfiguration } from "./tracing-configuration.js";

export interface ServerTracing extends Tracer {
  /** Sends the remaining spans. Does not reject. */
  close(): Promise<void>;
}

export interface TracingParts {
  readonly configuration: TracingConfiguration;
  /** How the collector identifies this server. */
  readonly service: { readonly name: string; readonly version: string; readonly instance: string };
  readonly onFailure: (error: Error) => void;
}

const closeMsMax = 5000;

/** Starts the OpenTelemetry SDK, which sends spans to a collector by OTLP over gRPC. The library is loaded here. */
export async function startTracing({
  configuration,
  service,
  onFailure,
}: TracingParts): Promise<ServerTracing> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { parseTraceParent, TraceState }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-grpc"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/core"),
    ]);
  api.diag.setLogger(
    {
      error: (message) => onFailure(new Error(message)),
      warn() {},
      info() {},
      debug() {},
      verbose() {},
    },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const processor = new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: configuration.endpoint }));
  const recorder: SpanRecorder = {
    clock: new SpanClock(),
    resource: resourceFromAttributes({
      "service.name": service.name,
      "service.version": service.version,
      "service.instance.id": service.instance,
    }),
    scope: { name: service.name },
    ids: new sdk.RandomIdGenerator(),
    ended: (span) => processor.onEnd(span),
  };
  const remoteOf = ({ traceparent, tracestate }: HttpExchange["headers"]): SpanContext | undefined => {
    const parsed = traceparent === undefined ? null : parseTraceParent(traceparent);
    if (parsed === null) return undefined;
    parsed.isRemote = true;
    if (tracestate !== undefined) parsed.traceState = new TraceState(tracestate);
    return parsed;
  };

  return {
    begin(method, headers) {
      const remote = remoteOf(headers);
      const isSampled =
        remote === undefined
          ? Math.random() < configuration.samplingRatio
          : (remote.traceFlags & api.TraceFlags.SAMPLED) !== 0;
      return isSampled ? RecordedSpan.first(`HTTP ${method}`, recorder, remote) : undefined;
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeMsMax).unref());
      await Promise.race([processor.shutdown().catch(onFailure), late]);
    },
  };
}
