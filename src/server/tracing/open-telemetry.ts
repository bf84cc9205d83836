import { TraceFlags } from "@opentelemetry/api";
import { RandomIdGenerator } from "@opentelemetry/sdk-trace-base";
import type { Tracer } from "../../serving/filters/trace-requests.js";
import type { SpanRecord } from "../../telemetry/span-record.js";
import { builtFile } from "../settings/built-file.js";
import { RecordedSpan, SpanClock, type SpanRecorder } from "./recorded-span.js";
import { remoteParent } from "./remote-parent.js";
import { SpanBatches } from "./span-batches.js";
import type { SpanOutlet } from "./span-outlet.js";
import type { SpanDestination, SpanService } from "./span-sender.js";
import type { TracingConfiguration } from "./tracing-configuration.js";
import { TracingThread } from "./tracing-thread.js";

export interface ServerTracing extends Tracer {
  /** Exports spans that ended on another thread. */
  add(spans: readonly SpanRecord[]): void;
  /** Sends the remaining spans. Does not reject. */
  close(): Promise<void>;
}

export interface TracingParts {
  readonly configuration: TracingConfiguration;
  readonly service: SpanService;
  readonly onFailure: (reason: string) => void;
}

const closeMsMax = 5000;

/** Traces requests, and sends their spans to a collector from a thread. Importing this file loads OpenTelemetry. */
export async function startTracing({
  configuration,
  service,
  onFailure,
}: TracingParts): Promise<ServerTracing> {
  const { endpoint, samplingRatio } = configuration;
  const batches = new SpanBatches(await openOutlet({ endpoint, service }, onFailure));
  const recorder: SpanRecorder = {
    clock: new SpanClock(),
    ids: new RandomIdGenerator(),
    ended: (span) => batches.add(span),
  };
  return {
    begin(method, headers) {
      const remote = headers.traceparent === undefined ? undefined : remoteParent(headers);
      const isSampled =
        remote === undefined ? Math.random() < samplingRatio : (remote.traceFlags & TraceFlags.SAMPLED) !== 0;
      return isSampled ? RecordedSpan.first(`HTTP ${method}`, recorder, remote) : undefined;
    },
    add(spans) {
      for (const span of spans) batches.add({ record: () => span });
    },
    close: () => batches.close(closeMsMax),
  };
}

/** This project's bundles contain the thread's program; where it is missing, the main thread sends the spans. */
async function openOutlet(
  destination: SpanDestination,
  onFailure: (reason: string) => void,
): Promise<SpanOutlet> {
  const script = builtFile(process.env.ORCH_TRACING_WORKER);
  if (script !== undefined) return new TracingThread(script, destination, onFailure);
  const { SpanSender } = await import("./span-sender.js");
  return new SpanSender(destination, onFailure);
}
