import type { QueryParameters } from "../../request/query-parameters.js";
import { LongQuery } from "./long-query.js";

/** Longer than nearly all real queries, and parsed in a few milliseconds at worst. */
const parsedLengthMax = 2048;

/** The parameters of a query as clients send it, whatever its length, as `URLSearchParams` reads them. */
export function parseQuery(query: string): QueryParameters {
  return query.length > parsedLengthMax ? new LongQuery(query) : new URLSearchParams(query);
}
