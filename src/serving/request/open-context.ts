import { badRequest, StatusError } from "../../apimachinery/status.js";
import type { HttpExchange } from "../http/exchange.js";
import { parseQuery } from "../http/parse-query.js";
import { RequestContext } from "./request-context.js";
import { nonResourceInfo, requestInfoOf } from "./request-info.js";

/** Reads method, path and query of an exchange. A path that cannot be decoded is kept as sent, with the error. */
export function openContext(exchange: HttpExchange, now: Date): RequestContext {
  const query = exchange.query === "" ? noQuery : parseQuery(exchange.query);
  const path = decodePath(exchange.path);
  if (path instanceof StatusError) {
    const info = nonResourceInfo(exchange.method, exchange.path);
    return new RequestContext(exchange, now, { info, query, pathError: path });
  }
  return new RequestContext(exchange, now, { info: requestInfoOf(exchange.method, path, query), query });
}

/** Shared by the many requests without a query. Nothing changes the query of a request. */
const noQuery = new URLSearchParams();

function decodePath(path: string): string | StatusError {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (/%(?![0-9a-f]{2})/i.test(path)) {
      return badRequest(`invalid URL escape in path ${JSON.stringify(path)}`, error);
    }
    // Invalid UTF-8 is a name like any other, which no object has.
    return unescapedBytes(path).toString("utf8");
  }
}

const percent = 0x25;

/** Of a text in which two hexadecimal digits follow every percent sign. */
function unescapedBytes(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0;
    if (byte === percent) {
      byte = 16 * hexDigit(bytes[at + 1]) + hexDigit(bytes[at + 2]);
      at += 2;
    }
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** Of the ASCII code of a digit or letter. */
function hexDigit(code = 0): number {
  return (code & 0xf) + (code > 0x39 ? 9 : 0);
}
