import { badRequest, StatusError } from "../../apimachinery/errors/status.js";
import { percentDecode } from "../../apimachinery/requests/percent-decode.js";
import type { QueryParameters } from "../../request/query-parameters.js";
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

/**
 * For the many requests without a query: several parameters are read of each, and `URLSearchParams` would check each name for lone
 * surrogates.
 */
const noQuery: QueryParameters = {
  get: () => null,
  getAll: () => [],
  has: () => false,
};

function decodePath(path: string): string | StatusError {
  if (!path.includes("%")) return path;
  if (/%(?![0-9a-f]{2})/i.test(path)) return badRequest(`invalid URL escape in path ${JSON.stringify(path)}`);
  // Invalid UTF-8 becomes a name that no object has.
  return percentDecode(path);
}
