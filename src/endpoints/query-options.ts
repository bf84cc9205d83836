import { badRequest } from "../apimachinery/status.js";

/** As the original reads booleans in a query: present and not "false" or "0" is true. */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}

/** A non-negative integer, 0 when missing. Throws 400. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^-?\d{1,15}$/.test(text)) {
    throw badRequest(
      `unable to decode query parameter ${name}: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}

/** The last value of a repeated parameter does not count: the first does, as in the original. */
export function queryText(query: URLSearchParams, name: string): string {
  return query.get(name) ?? "";
}
