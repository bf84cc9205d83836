import type { QueryParameters } from "../../request/query-parameters.js";
import { LongQuery } from "./long-query.js";

/** Longer than nearly all real queries, and parsed in a few milliseconds at worst. */
const parsedLengthMax = 2048;

/**
 * The parameters of a query, whatever its length, as `URLSearchParams` reads them. As in Kubernetes, parameters with a semicolon or an
 * invalid escape are ignored.
 */
export function parseQuery(query: string): QueryParameters {
  const usable = isUnusable(query) ? usableParts(query) : query;
  return usable.length > parsedLengthMax ? new LongQuery(usable) : new URLSearchParams(usable);
}

function isUnusable(text: string): boolean {
  return /;|%(?![0-9a-f]{2})/i.test(text);
}

function usableParts(query: string): string {
  const parts: string[] = [];
  for (let start = 0; start < query.length; ) {
    const found = query.indexOf("&", start);
    const end = found < 0 ? query.length : found;
    const part = query.slice(start, end);
    if (part !== "" && !isUnusable(part)) parts.push(part);
    start = end + 1;
  }
  return parts.join("&");
}
