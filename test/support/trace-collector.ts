import { Server, ServerCredentials } from "@grpc/grpc-js";
import protobuf from "protobufjs";

/** The part of OpenTelemetry's protocol that spans need; the numbers are those of `opentelemetry/proto/trace/v1/trace.proto`. */
const protocol = `
syntax = "proto3";
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ExportTraceServiceResponse {}
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; repeated Event events = 11;
}
message Event { fixed64 time_unix_nano = 1; string name = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`;

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly service: string;
  /** Milliseconds since 1970, to the microsecond. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface TraceCollector {
  /** `127.0.0.1:PORT` */
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** The names of a span and its descendants, in the order in which they began, indented by two spaces per level. */
  tree(root: CollectedSpan): string[];
  close(): void;
}

/** A receiver of OTLP over gRPC. It takes a batch when `ready` resolves. */
export async function startTraceCollector(
  ready: () => Promise<void> = () => Promise.resolve(),
): Promise<TraceCollector> {
  const root = protobuf.parse(protocol, { keepCase: false }).root;
  const requestType = root.lookupType("ExportTraceServiceRequest");
  const spans: CollectedSpan[] = [];
  const server = new Server();
  server.addService(
    {
      Export: {
        path: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
        requestStream: false,
        responseStream: false,
        requestDeserialize: (bytes: Buffer) =>
          requestType.toObject(requestType.decode(bytes), { bytes: String, longs: String, defaults: true }),
        requestSerialize: (value: Buffer) => value,
        responseSerialize: () => Buffer.alloc(0),
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    },
    {
      Export(call: { readonly request: ExportRequest }, done: (error: null, answer: object) => void) {
        void ready().then(() => {
          spans.push(...collected(call.request));
          done(null, {});
        });
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const tree = (span: CollectedSpan): string[] => [
    span.name,
    ...spans
      .filter(({ parentId }) => parentId === span.spanId)
      .flatMap(tree)
      .map((name) => `  ${name}`),
  ];
  return { endpoint: `127.0.0.1:${port}`, spans, tree, close: () => server.forceShutdown() };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId: string;
        readonly name: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes: readonly KeyValue[];
        readonly events: readonly { readonly name: string }[];
      }[];
    }[];
  }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function collected({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentId: hex(span.parentSpanId),
        name: span.name,
        attributes: valuesOf(span.attributes),
        events: span.events.map(({ name }) => name),
        service: String(valuesOf(resource.attributes)["service.name"]),
        startMs: milliseconds(span.startTimeUnixNano),
        endMs: milliseconds(span.endTimeUnixNano),
      })),
  );
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function milliseconds(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1000n) / 1000;
}

function hex(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}
