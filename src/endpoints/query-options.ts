import { quoted } from "../apimachinery/quoted-text.js";
import { badRequest, type StatusError } from "../apimachinery/status.js";

/** As the original reads booleans in a query: present and not "false" or "0" is true. */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}

const int64Max = 2n ** 63n - 1n;
/** A sign and zeros before a number included. */
const digitsMax = 100;

/**
 * An integer of 64 bits, undefined when the parameter is missing; one too large for a number is the largest or smallest of them.
 * Throws 400.
 */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[-+]?\d+$/.test(text)) throw notAnInteger(text, "invalid syntax");
  // The conversion takes longer than a megabyte of digits deserves.
  const value = text.length > digitsMax ? undefined : BigInt(text.replace("+", ""));
  if (value === undefined || value > int64Max || value < -int64Max - 1n)
    throw notAnInteger(text, "value out of range");
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER));
}

function notAnInteger(text: string, why: string): StatusError {
  return badRequest(`strconv.ParseInt: parsing ${quoted(text)}: ${why}`);
}

/** The last value of a repeated parameter does not count: the first does, as in the original. */
export function queryText(query: URLSearchParams, name: string): string {
  return query.get(name) ?? "";
}
