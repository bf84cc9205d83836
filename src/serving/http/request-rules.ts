import type { IncomingMessage } from "node:http";

/** A request that is not passed on: its status, and what Go's server says to it. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** HTTP/2 has the same limit. What is done for each line, a server does for each request. */
export const headerLinesMax = 2000;

/**
 * What node:http lets in although two readers may understand it differently, or nobody should have to read it. Undefined for a
 * request in order. Source: RFC 9112 §3.2, §6.1 and §2.3; Go `net/http`.
 */
export function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { rawHeaders, httpVersion } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return { status: 505, text: "505 HTTP Version Not Supported: unsupported protocol version" };
  }
  if (rawHeaders.length > 2 * headerLinesMax) {
    return { status: 431, text: "431 Request Header Fields Too Large" };
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === hostLength && name.toLowerCase() === "host") hosts++;
    else if (name.length === transferEncodingLength && name.toLowerCase() === "transfer-encoding") {
      // HTTP/1.0 knows no chunks: another reader would look for the body's end elsewhere.
      if (httpVersion === "1.0" || rawHeaders[at + 1]?.toLowerCase() !== "chunked") {
        return { status: 501, text: "Unsupported transfer encoding" };
      }
    }
  }
  return hosts > 1 ? { status: 400, text: "400 Bad Request: too many Host headers" } : undefined;
}

const hostLength = "host".length;
const transferEncodingLength = "transfer-encoding".length;
