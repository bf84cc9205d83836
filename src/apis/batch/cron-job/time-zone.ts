import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";

/** A part of a name in the time zone database: `America` of `America/New_York`. */
const namePart = /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/;

/** Abbreviations that Node.js accepts as time zones, but that are not in the time zone database: many stand for several zones. */
const runtimeOnly: ReadonlySet<string> = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(
    " ",
  ),
);

export function validateTimeZone(zone: string | undefined, path: FieldPath, level: ApiLevel): FieldError[] {
  if (zone === undefined) return [];
  if (zone === "") return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  // Before 1.27, Go's library alone decides.
  if (isAtLeast(level, "1.27") && !isName(zone)) return [invalid(path, zone, `unknown time zone ${zone}`)];
  const why = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  const problem = locationProblem(zone);
  return [
    ...(zone.toLowerCase() === "local" ? [invalid(path, zone, why)] : []),
    ...(problem === undefined ? [] : [invalid(path, zone, problem)]),
  ];
}

function isName(zone: string): boolean {
  return zone.split("/").every((part) => namePart.test(part) && part !== "." && part !== "..");
}

/** What Go's `time.LoadLocation` says of a name that it does not find. */
export function locationProblem(name: string): string | undefined {
  if (name === "" || name === "Local" || isTimeZone(name)) return undefined;
  const isPath = name.includes("..") || name.startsWith("/") || name.startsWith("\\");
  return isPath ? "time: invalid location name" : `unknown time zone ${name}`;
}

/**
 * Asks Node.js, which also accepts offsets, abbreviations and other spellings in upper and lower case; these are refused here. For an
 * alias of a zone the case is not checked, because Node.js only returns the current name.
 */
function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone) || zone.startsWith("SystemV/") || runtimeOnly.has(zone.toUpperCase()))
    return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}
