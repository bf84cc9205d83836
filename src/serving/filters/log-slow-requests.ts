import { randomInt } from "node:crypto";
import type { Logger } from "../../telemetry/logger.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";

/** The threshold of Kubernetes. */
const slowMs = 500;

/** At this level the steps of every request are logged. */
const everyRequest = { level: 4, file: "serving/filters/log-slow-requests" } as const;

/**
 * Logs the steps of requests that took half a second or more, in the form of Kubernetes' traces: `Trace[123]: "Create" url:…`.
 * Long-running requests are not logged. Source: k8s.io/utils `trace`.
 */
export function logSlowRequests(log: Logger): Filter {
  return (context, next) => {
    if (context.longRunning) return next(context);
    context.exchange.onFinished(() => {
      const totalMs = performance.now() - context.startedAtMs;
      const thresholdMs = log.levels.of(everyRequest.file) >= everyRequest.level ? 0 : slowMs;
      if (totalMs >= thresholdMs) log.info(traceText(context, totalMs, thresholdMs, randomInt(2 ** 31 - 1)));
    });
    return next(context);
  };
}

/** The lines of one request, without the short steps. */
export function traceText(
  context: Pick<
    RequestContext,
    "info" | "path" | "userAgent" | "auditId" | "exchange" | "receivedAt" | "startedAtMs" | "steps"
  >,
  totalMs: number,
  thresholdMs: number,
  id: number,
): string {
  const { info, exchange, steps, receivedAt, startedAtMs } = context;
  const began = receivedAt.getTime();
  const fields = [
    ["url", context.path],
    ["user-agent", context.userAgent],
    ["audit-id", context.auditId],
    ["client", exchange.connection.remoteAddress],
    ["accept", exchange.headers.accept ?? ""],
    ["protocol", `HTTP/${exchange.httpVersion}`],
  ].map(([name, value]) => `${name}:${printable(value ?? "")}`);
  const verb = `${info.verb.slice(0, 1).toUpperCase()}${info.verb.slice(1)}`;
  const lines = [
    `Trace[${id}]: "${verb}" ${fields.join(",")} (${date(receivedAt)} ${clock(began)}) (total time: ${Math.round(totalMs)}ms):`,
  ];
  const stepMsMin = thresholdMs / (steps.length + 1);
  let lastAt = startedAtMs;
  for (const { text, atMs } of steps) {
    const tookMs = atMs - lastAt;
    lastAt = atMs;
    if (tookMs >= stepMsMin)
      lines.push(
        `Trace[${id}]: ---"${printable(text)}" ${Math.round(tookMs)}ms (${clock(began + atMs - startedAtMs)})`,
      );
  }
  const duration = totalMs >= 1000 ? `${(totalMs / 1000).toFixed(9)}s` : `${totalMs.toFixed(6)}ms`;
  return [...lines, `Trace[${id}]: [${duration}] [${duration}] END`].join("\n");
}

/** Replaces control characters, so that clients cannot forge log lines. */
function printable(text: string): string {
  return text.slice(0, textMax).replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

const textMax = 1024;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function date(time: Date): string {
  return `${String(time.getUTCDate()).padStart(2, "0")}-${months[time.getUTCMonth()]}-${time.getUTCFullYear()}`;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}
