import type { Context, Span as SdkSpan, TextMapGetter } from "@opentelemetry/api";
import type { Tracer } from "../../serving/filters/trace-requests.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import type { Span, SpanKind } from "../../telemetry/span.js";
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
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { W3CTraceContextPropagator }] =
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
  const exporter = new OTLPTraceExporter({ url: configuration.endpoint });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      "service.name": service.name,
      "service.version": service.version,
      "service.instance.id": service.instance,
    }),
    // `begin` decides before anything is made of a request.
    sampler: new sdk.AlwaysOnSampler(),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer(service.name);
  const propagator = new W3CTraceContextPropagator();
  const kinds = {
    internal: api.SpanKind.INTERNAL,
    client: api.SpanKind.CLIENT,
    server: api.SpanKind.SERVER,
  } as const;

  class TracedSpan implements Span {
    readonly #span: SdkSpan;
    readonly #context: Context;
    #hasEnded = false;

    constructor(span: SdkSpan, outer: Context) {
      this.#span = span;
      this.#context = api.trace.setSpan(outer, span);
    }

    child(name: string, kind: SpanKind = "internal"): Span {
      return new TracedSpan(tracer.startSpan(name, { kind: kinds[kind] }, this.#context), this.#context);
    }

    setAttribute(name: string, value: string | number | boolean): void {
      this.#span.setAttribute(name, value);
    }

    addEvent(name: string): void {
      this.#span.addEvent(name);
    }

    fail(message: string): void {
      this.#span.setStatus({ code: api.SpanStatusCode.ERROR, message });
    }

    headers(): Readonly<Record<string, string>> {
      const headers: Record<string, string> = {};
      propagator.inject(this.#context, headers, api.defaultTextMapSetter);
      return headers;
    }

    end(): void {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      this.#span.end();
    }
  }

  return {
    begin(name, headers) {
      const outer =
        headers.traceparent === undefined
          ? api.ROOT_CONTEXT
          : propagator.extract(api.ROOT_CONTEXT, headers, headerGetter);
      const parent = outer === api.ROOT_CONTEXT ? undefined : api.trace.getSpanContext(outer);
      const isSampled =
        parent === undefined
          ? Math.random() < configuration.samplingRatio
          : (parent.traceFlags & api.TraceFlags.SAMPLED) !== 0;
      if (!isSampled) return undefined;
      return new TracedSpan(tracer.startSpan(name, { kind: kinds.server }, outer), outer);
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeMsMax).unref());
      await Promise.race([provider.shutdown().catch(onFailure), late]);
    },
  };
}

const headerGetter: TextMapGetter<HttpExchange["headers"]> = {
  get: (headers, name) => headers[name],
  keys: (headers) => Object.keys(headers),
};
