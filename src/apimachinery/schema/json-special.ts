import { Buffer } from "node:buffer";
import { formatDuration, parseDuration } from "../values/duration.js";
import {
  canonicalMicroTimeSeconds,
  canonicalTimeSeconds,
  formatMicroTime,
  formatTime,
  parseMicroTime,
  parseTime,
  zeroTimeSeconds,
} from "../values/time.js";
import { copyMembers } from "./object-members.js";

/** Thrown by generated decoders for anything but well-formed JSON of the type; never leaves the codec. */
export const mismatch = Symbol("value is not of the plain form");

/** The last four characters of base64 that needs padding. */
const paddedGroup = /^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

// Decode JSON values to canonical form. Throw `mismatch` for values that need the slow decoder.

/** Undefined for the zero time. */
export function timeFromJson(value: unknown): string | undefined {
  if (typeof value !== "string") throw mismatch;
  const seconds = canonicalTimeSeconds(value);
  if (seconds !== undefined) return seconds === zeroTimeSeconds ? undefined : value;
  try {
    const parsed = parseTime(value).seconds;
    return parsed === zeroTimeSeconds ? undefined : formatTime(parsed);
  } catch {
    throw mismatch;
  }
}

export function microTimeFromJson(value: unknown): string | undefined {
  if (typeof value !== "string") throw mismatch;
  const seconds = canonicalMicroTimeSeconds(value);
  if (seconds !== undefined && seconds !== zeroTimeSeconds) return value;
  try {
    const instant = parseMicroTime(value);
    return instant.seconds === zeroTimeSeconds && instant.nanos < 1000 ? undefined : formatMicroTime(instant);
  } catch {
    throw mismatch;
  }
}

export function durationFromJson(value: unknown): string {
  const nanos = typeof value === "string" ? parseDuration(value) : undefined;
  if (nanos === undefined) throw mismatch;
  return formatDuration(nanos);
}

export function bytesFromJson(value: unknown): string {
  if (typeof value !== "string") throw mismatch;
  // Decoding skips invalid characters, so the printed text lacks them. A regular expression takes ten times as long.
  const printed = Buffer.from(value, "base64").toString("base64");
  if (printed === value) return value;
  // The bits of the last character beyond the data may be set; printing clears them.
  const isSame = printed.length === value.length && printed.slice(0, -4) === value.slice(0, -4);
  if (!isSame || !paddedGroup.test(value.slice(-4))) throw mismatch;
  return printed;
}

export function int64FromJson(value: unknown): bigint {
  if (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value) throw mismatch;
  return value;
}

export function stringListFromJson(value: unknown): string[] {
  if (!Array.isArray(value)) throw mismatch;
  for (const item of value) if (typeof item !== "string") throw mismatch;
  return value.slice();
}

/** A copy, or with `adopts` the value itself; undefined for an empty map where that means the same as absent. */
export function stringMapFromJson(
  value: unknown,
  emptyIsAbsent: boolean,
  adopts: boolean,
): { [key: string]: string } | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw mismatch;
  const map = value as { [key: string]: string };
  const keys = Object.keys(map);
  for (const key of keys) if (typeof map[key] !== "string") throw mismatch;
  if (keys.length === 0 && emptyIsAbsent) return undefined;
  return adopts ? map : copyMembers(map, keys);
}
