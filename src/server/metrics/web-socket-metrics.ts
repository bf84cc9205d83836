import type { WebSocketObserver } from "../../serving/proxy/container-streams.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Counts WebSockets of containers and ports. Source of the names: `apiserver/pkg/util/proxy/metrics`, version 1.36. */
export function webSocketMetrics(
  metrics: Metrics,
  has: {
    readonly containers: boolean;
    readonly ports: boolean;
    readonly kinds: boolean;
    /** The node agent's name in labels. */
    readonly agentName: string;
  },
): WebSocketObserver {
  const translator = has.containers
    ? metrics.counter({
        name: "apiserver_stream_translator_requests_total",
        help: "Requests for streams of containers over WebSockets that were translated for node agents, by the code of their outcome.",
        labels: ["code"],
      })
    : undefined;
  const tunnel = has.ports
    ? metrics.counter({
        name: "apiserver_stream_tunnel_requests_total",
        help: "Requests for ports over WebSockets that were passed on to node agents, by the code of their answer.",
        labels: ["code"],
      })
    : undefined;
  const all = has.kinds
    ? metrics.counter({
        name: "apiserver_websocket_streaming_requests_total",
        help: "WebSockets of containers and ports, by subresource and by who translates them.",
        labels: ["subresource", "proxy_type"],
      })
    : undefined;
  return {
    webSocket: (subresource, isTranslated) =>
      count(all, subresource, isTranslated ? "translated_at_apiserver" : `proxied_to_${has.agentName}`),
    translated: (code) => count(translator, String(code)),
    tunnelled: (code) => count(tunnel, String(code)),
  };
}

function count(family: MetricFamily<Figure> | undefined, ...values: readonly string[]): void {
  if (family !== undefined) family.with(...values).value++;
}
