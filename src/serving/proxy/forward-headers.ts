import type { IncomingMessage } from "node:http";
import { isTokenProtocol } from "../../access/authentication/web-socket-token.js";
import { headerItems } from "../../apimachinery/requests/header-items.js";
import { currentSpan } from "../../telemetry/span.js";
import type { HttpExchange } from "../http/exchange.js";

export type ForwardedHeaders = Record<string, string | string[]>;

/** Headers for one connection only (RFC 9110 §7.6.1), in addition to those that `Connection` names. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The client's credentials are for this server only, and impersonation is already resolved. */
function isForThisServer(name: string): boolean {
  return name === "authorization" || name.startsWith("impersonate-");
}

/** CORS headers of another server do not apply to this server's origin. */
const foreignPermissions: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
]);

/**
 * The headers to forward, with the client's address added to `X-Forwarded-For`, and the trace context if there is one. Headers that name a
 * user are left out: the next server might trust them.
 */
export function requestHeaders(
  exchange: HttpExchange,
  isIdentityHeader: (name: string) => boolean,
  upgrade: boolean,
): ForwardedHeaders {
  const named = connectionNames(exchange.headers.connection);
  const headers: ForwardedHeaders = {};
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (value === undefined || name.startsWith(":") || name === "expect") continue;
    if (hopByHop.has(name) || named.has(name) || isForThisServer(name) || isIdentityHeader(name)) continue;
    headers[name] = value;
  }
  const protocols = exchange.headers["sec-websocket-protocol"];
  if (protocols !== undefined) headers["sec-websocket-protocol"] = withoutToken(protocols);
  Object.assign(headers, currentSpan()?.headers());
  if (exchange.host !== "") headers.host = exchange.host;
  const before = exchange.headers["x-forwarded-for"];
  const { remoteAddress } = exchange.connection;
  headers["x-forwarded-for"] = before === undefined ? remoteAddress : `${before}, ${remoteAddress}`;
  if (upgrade) {
    headers.connection = "Upgrade";
    headers.upgrade = exchange.headers.upgrade ?? "";
  }
  return headers;
}

/** The headers of an answer as the client receives them. */
export function responseHeaders(response: IncomingMessage): Record<string, string[]> {
  const named = connectionNames(response.headers.connection);
  return valuesByName(rawPairs(response), (name) => {
    const lower = name.toLowerCase();
    return !hopByHop.has(lower) && !named.has(lower) && !foreignPermissions.has(lower);
  });
}

/** The values of each wanted header. A header may be named like a member of `Object.prototype`, such as `constructor`. */
export function valuesByName(
  pairs: Iterable<readonly [string, string]>,
  isWanted: (name: string) => boolean,
): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (!isWanted(name)) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries(values);
}

/** The headers of an answer, with names in lower case, as the client gets them. */
export function passedHeaders(
  answered: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const { connection } = answered;
  const named = connectionNames(Array.isArray(connection) ? connection.join() : connection);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(answered)) {
    if (value === undefined || hopByHop.has(name) || named.has(name) || foreignPermissions.has(name))
      continue;
    headers[name] = value;
  }
  return headers;
}

/** Names and values in their original order and spelling. */
export function* rawPairs(response: IncomingMessage): Generator<readonly [string, string]> {
  const { rawHeaders } = response;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    yield [rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""];
}

/** A browser sends its token as a subprotocol, under the name of either profile. */
function withoutToken(protocols: string): string {
  return headerItems(protocols)
    .filter((name) => !isTokenProtocol(name))
    .join(", ");
}

function connectionNames(value: string | undefined): ReadonlySet<string> {
  return new Set(headerItems(value ?? "").map((name) => name.toLowerCase()));
}
