import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { exponentialBuckets } from "../../telemetry/exponential-buckets.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";

const file = "server/metrics/remote-call-metrics";
/** The level at which Kubernetes' clients log their calls. */
const calls = { level: 6, file } as const;

/** Seconds: 1 ms to 512 ms, doubling, as in Kubernetes. */
const bounds = exponentialBuckets(0.001, 10);

/** A request in undici's messages. Source: undici documentation, "Diagnostics Channel Support". */
interface RemoteCall {
  readonly origin: string | URL | undefined;
  readonly method: string;
  readonly path: string;
}

const created = "undici:request:create";
const answered = "undici:request:headers";
const failed = "undici:request:error";

/**
 * Counts, measures and logs the calls that this process makes to other servers: webhooks, identity providers, extension servers. The names
 * are those of client-go in kube-apiserver 1.23. The returned function stops it.
 */
export function observeRemoteCalls(metrics: Metrics, log: Logger): () => void {
  const requests = metrics.counter({
    name: "rest_client_requests_total",
    help: "Calls to other servers by status code, method and host; <error> when there was no answer.",
    labels: ["code", "method", "host"],
  });
  const durations = metrics.histogram({
    name: "rest_client_request_duration_seconds",
    help: "Time in seconds until the head of the answer, by verb and server.",
    labels: ["verb", "url"],
    bounds,
  });
  const startTimes = new WeakMap<RemoteCall, number>();
  const ended = (call: RemoteCall, code: string): void => {
    const startedAt = startTimes.get(call);
    // The call failed after its answer began.
    if (startedAt === undefined) return;
    startTimes.delete(call);
    const origin = String(call.origin ?? "");
    const ms = performance.now() - startedAt;
    requests.with(code, call.method, URL.canParse(origin) ? new URL(origin).host : origin).value++;
    durations.with(call.method, `${origin}/%7Bprefix%7D`).observe(ms / 1000);
    if (log.levels.of(file) < calls.level) return;
    const [path = ""] = call.path.split("?", 1);
    log.verbose(calls, "remote call", {
      method: call.method,
      url: origin + path,
      code,
      latency: `${ms.toFixed(3)}ms`,
    });
  };
  // The diagnostics channel sends the documented types.
  const onCreated = (message: unknown): void =>
    void startTimes.set((message as Told).request, performance.now());
  const onAnswered = (message: unknown): void => {
    const { request, response } = message as Told;
    ended(request, String(response?.statusCode ?? ""));
  };
  const onFailed = (message: unknown): void => ended((message as Told).request, "<error>");
  subscribe(created, onCreated);
  subscribe(answered, onAnswered);
  subscribe(failed, onFailed);
  return () => {
    unsubscribe(created, onCreated);
    unsubscribe(answered, onAnswered);
    unsubscribe(failed, onFailed);
  };
}

interface Told {
  readonly request: RemoteCall;
  readonly response?: { readonly statusCode: number };
}
