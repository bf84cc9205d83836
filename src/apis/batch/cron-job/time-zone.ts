import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";

/** A part of a name in the time zone database: `America` of `America/New_York`. */
const namePart = /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/;

export function validateTimeZone(zone: string | undefined, path: FieldPath): FieldError[] {
  if (zone === undefined) return [];
  if (zone === "") return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  const unknown = [invalid(path, zone, `unknown time zone ${zone}`)];
  if (!zone.split("/").every((part) => namePart.test(part) && part !== "." && part !== "..")) return unknown;
  if (zone.toLowerCase() === "local") {
    const why = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    return [invalid(path, zone, why)];
  }
  return isTimeZone(zone) ? [] : unknown;
}

/**
 * Looks the name up in the runtime's database, which also accepts offsets and names in another case: those are not names. The case of an
 * older name of a zone is not checked, because the database tells the newer one.
 */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}
