import type { SpanContext } from "@opentelemetry/api";
import { parseTraceParent, TraceState } from "@opentelemetry/core";

/** The span that headers name, of a client or of another thread. Undefined when they name none. */
export function remoteParent({
  traceparent,
  tracestate,
}: Readonly<Record<string, string | undefined>>): SpanContext | undefined {
  const parsed = parseTraceParent(traceparent ?? "");
  if (parsed === null) return undefined;
  if (tracestate !== undefined) parsed.traceState = new TraceState(tracestate);
  return parsed;
}
