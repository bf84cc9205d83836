import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { shownUri } from "../../request/shown-uri.js";
import { type Logger, type LogValues, startOf } from "../../telemetry/logger.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import { AnswerCopy, type CopiedAnswer } from "./answer-copy.js";
import type { Filter } from "./filter.js";
import { hasConnectVerb, namedScope, requestVerb } from "./request-labels.js";

const file = "serving/filters/log-requests";

/** The levels that Kubernetes documents for its logs. */
const requests = { level: 3, file } as const;
const requestHeaders = { level: 6, file } as const;
const bodies = { level: 8, file } as const;
const longBodies = { level: 9, file } as const;
const wholeBodies = { level: 10, file } as const;

const masked = "<masked>";
/** Headers with credentials, including those of proxies and other programs. */
const secretHeader = /authorization|cookie|token|secret|password|api-?key/;
const protocolHeader = "sec-websocket-protocol";

/** Resources whose bodies contain secrets. */
const secretResources: ReadonlySet<string> = new Set(["secrets", "tokenreviews", "serviceaccounts/token"]);

/** Logs each request at the verbosity in effect when it arrives. */
export function logRequests(log: Logger, apiLevel: ApiLevel): Filter {
  const hasConnect = hasConnectVerb(apiLevel);
  return (context, next) => {
    const level = log.levels.of(file);
    if (level < requests.level) return next(context);
    const { exchange } = context;
    const bodyChars = shownCharsAt(level);
    const answer: CopiedAnswer | undefined =
      level >= bodies.level && !exchange.isUpgrade && !isSecret(context)
        ? { headers: {}, pieces: [], bytes: 0 }
        : undefined;
    if (answer !== undefined) context.exchange = new AnswerCopy(exchange, answer, bodyChars);
    exchange.onFinished(() => {
      log.verbose(requests, "HTTP", lineOf(context, exchange, hasConnect));
      if (level < requestHeaders.level) return;
      log.verbose(requestHeaders, "request headers", {
        "audit-ID": context.auditId,
        ...shown(exchange.headers),
      });
      if (level < bodies.level) return;
      if (isSecret(context)) {
        log.verbose(bodies, "bodies are secret", { "audit-ID": context.auditId });
        return;
      }
      const { bytes } = context.body;
      if (bytes.length > 0)
        log.verbose(bodies, "request body", bodyValues(context, bytes, bytes.length, bodyChars));
      if (answer === undefined) return;
      log.verbose(bodies, "response headers", { "audit-ID": context.auditId, ...shown(answer.headers) });
      log.verbose(
        bodies,
        "response body",
        bodyValues(context, Buffer.concat(answer.pieces), answer.bytes, bodyChars),
      );
    });
    return next(context);
  };
}

/** How much of a body is logged. */
function shownCharsAt(level: number): number {
  if (level >= wholeBodies.level) return Number.MAX_SAFE_INTEGER;
  return level >= longBodies.level ? 10_240 : 1024;
}

function lineOf(context: RequestContext, exchange: HttpExchange, hasConnect: boolean): LogValues {
  const { classified } = context;
  const { remoteAddress, remotePort } = exchange.connection;
  return {
    verb: requestVerb(context, namedScope(context.info), hasConnect),
    URI: shownUri(startOf(context.requestUri)),
    latency: `${(performance.now() - context.startedAtMs).toFixed(3)}ms`,
    userAgent: startOf(context.userAgent),
    "audit-ID": context.auditId,
    srcIP: `${remoteAddress}:${remotePort}`,
    user: context.user?.name,
    ...(classified !== undefined && { apf_pl: classified.level.name, apf_fs: classified.schema.name }),
    resp: exchange.statusCode,
  };
}

function isSecret({ info }: RequestContext): boolean {
  const name = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  return secretResources.has(info.resource) || secretResources.has(name);
}

function shown(
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): LogValues {
  const values: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const isToken = lower === protocolHeader && String(value).includes("bearer.authorization");
    // The request line is already logged.
    if (lower.startsWith(":")) continue;
    if (value !== undefined)
      values[lower] = secretHeader.test(lower) || isToken ? masked : startOf(String(value));
  }
  return values;
}

/** The body as text, or in base64 when it is binary, cut after `max` characters. */
function bodyValues({ auditId }: RequestContext, bytes: Uint8Array, total: number, max: number): LogValues {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, max));
  const isText = !start.subarray(0, 64).includes(0);
  const body = isText ? start.toString("utf8") : start.toString("base64").slice(0, max);
  const truncated = total > start.length ? total - start.length : undefined;
  return { "audit-ID": auditId, body, truncatedBytes: truncated };
}
