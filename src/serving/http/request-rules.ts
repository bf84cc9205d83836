import type { IncomingMessage } from "node:http";

/** A refused request: its status, and the message of Go's server. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

export const refusalHeaders = { "Content-Type": "text/plain; charset=utf-8" };

/** The same limit for HTTP/2. Every request costs some work per header line. */
export const headerLinesMax = 2000;

/**
 * Refuses requests that node:http accepts although two parsers may read them differently, or that are too large. Undefined for an
 * acceptable request. Source: RFC 9112 §3.2, §6.1 and §2.3; Go `net/http`.
 */
export function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { rawHeaders, httpVersion, method } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return versionRefusal;
  if (method === "CONNECT") return connectRefusal;
  if (rawHeaders.length > 2 * headerLinesMax) {
    return { status: 431, text: "431 Request Header Fields Too Large" };
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === hostLength && name.toLowerCase() === "host") hosts++;
    else if (name.length === transferEncodingLength && name.toLowerCase() === "transfer-encoding") {
      // HTTP/1.0 has no chunks: another parser would look for the end of the body elsewhere.
      if (httpVersion === "1.0" || rawHeaders[at + 1]?.toLowerCase() !== "chunked") {
        return { status: 501, text: "Unsupported transfer encoding" };
      }
    }
  }
  return hosts > 1 ? { status: 400, text: "400 Bad Request: too many Host headers" } : undefined;
}

const versionRefusal: Refusal = {
  status: 505,
  text: "505 HTTP Version Not Supported: unsupported protocol version",
};

/** This server is not a forward proxy, so it opens no tunnels. */
export const connectRefusal: Refusal = { status: 405, text: "405 Method Not Allowed" };

/** The answer to a request that node:http cannot parse, by error code; undefined if the connection itself failed. */
export function refusalOfUnreadable(code: string | undefined): Refusal | undefined {
  switch (code) {
    case "HPE_INVALID_VERSION":
      return versionRefusal;
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, text: "431 Request Header Fields Too Large" };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, text: "413 Payload Too Large: chunk extensions are too long" };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, text: "408 Request Timeout" };
    default:
      return code?.startsWith("HPE_") === true ? { status: 400, text: "400 Bad Request" } : undefined;
  }
}

const hostLength = "host".length;
const transferEncodingLength = "transfer-encoding".length;
