import { quotedShortened } from "../../apimachinery/errors/printed-value.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import { int64, parseDecimal } from "../../apimachinery/values/decimal-integer.js";
import type { QueryParameters } from "../../request/query-parameters.js";

/** A boolean query parameter as Kubernetes reads it: present and not "false" or "0" is true. */
export function queryFlag(query: QueryParameters, name: string): boolean {
  const value = query.get(name);
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}

/** The same, but undefined when the parameter is missing. */
export function queryFlagIfGiven(query: QueryParameters, name: string): boolean | undefined {
  return query.has(name) ? queryFlag(query, name) : undefined;
}

/** A 64-bit integer, undefined when the parameter is missing; one too large for a number is clamped. Throws 400. */
export function queryInteger(query: QueryParameters, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = parseDecimal(text, int64);
  if (typeof value === "string")
    throw badRequest(`strconv.ParseInt: parsing ${quotedShortened(text)}: ${value}`);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER));
}

/** As in Kubernetes, the first of several values counts. */
export function queryText(query: QueryParameters, name: string): string {
  return query.get(name) ?? "";
}

/** Reads of single objects once had the option `export`. Throws 400. */
export function refuseExport(query: QueryParameters): void {
  if (queryFlag(query, "export")) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
}
