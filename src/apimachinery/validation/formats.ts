import { neutralFormat } from "../../naming/text-formats.js";
import { type ApiLevel, isAtLeast } from "../levels/api-level.js";
import { parseDuration } from "../values/duration.js";
import { isDns1123Label, isDns1123Subdomain } from "./dns-names.js";
import { ipFamilyOf, parseCidr } from "./ip-addresses.js";
import { isRequestUri } from "./urls.js";

/** Longer text fails every format that is checked by a regular expression. */
const checkedLengthMax = 64 * 1024;

/** Formats that Kubernetes has not checked from the beginning. */
const checkedSince: ReadonlyMap<string, ApiLevel> = new Map<string, ApiLevel>([
  ["shortname", "1.34"],
  ["longname", "1.34"],
  ["int32", "1.36"],
  ["int64", "1.36"],
  ["float", "1.36"],
  ["double", "1.36"],
]);

/** Whether only later levels check the format. */
export function isCheckedLater(format: string, level: ApiLevel): boolean {
  const since = checkedSince.get(neutralName(format));
  return since !== undefined && !isAtLeast(level, since);
}

/** Whether the format applies to values of the type. A schema without a type is treated as text. */
export function isRecognizedFormat(type: string, format: string, level: ApiLevel): boolean {
  if (type === "integer") return format === "int32" || format === "int64";
  if (type === "number") return format === "float" || format === "double";
  if (type !== "string" && type !== "") return false;
  const name = neutralName(format);
  const isKnown = checks.has(name) || name === "password" || name === "quantity";
  return isKnown && !isCheckedLater(format, level);
}

const numberFormats: ReadonlySet<string> = new Set(["int32", "int64", "float", "double"]);

/** Whether numbers are checked for the format. */
export function isNumberFormat(format: string): boolean {
  return numberFormats.has(format);
}

const int32Max = 2 ** 31 - 1;

/** Whether a number of a type is in the range of the format. Every integer is an int64, and every number a double. */
export function isInFormatRange(value: number | bigint, type: string, format: string): boolean {
  if (type === "integer" && format === "int32") return value >= -int32Max - 1 && value <= int32Max;
  return type !== "number" || format !== "float" || Number.isFinite(Math.fround(Number(value)));
}

/**
 * Whether `text` has the format. Formats that Kubernetes 1.23 does not know accept anything. Source: the supported formats in the
 * Kubernetes documentation, "CustomResourceDefinition", and go-openapi `strfmt`.
 */
export function isOfFormat(text: string, format: string): boolean {
  const check = checks.get(neutralName(format));
  return check === undefined || check(text);
}

function neutralName(format: string): string {
  return neutralFormat(format.replaceAll("-", ""));
}

const checks: ReadonlyMap<string, (text: string) => boolean> = new Map<string, (text: string) => boolean>([
  ["bsonobjectid", matching(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", (text) => ipFamilyOf(text) === "IPv4"],
  // Also an IPv4 address in the form of an IPv6 address.
  ["ipv6", (text) => text.includes(":") && ipFamilyOf(text) !== undefined],
  ["cidr", (text) => parseCidr(text) !== undefined],
  [
    "mac",
    matching(
      /^(?:[0-9a-f]{2}(?:(?::[0-9a-f]{2}){5}|(?::[0-9a-f]{2}){7}|(?::[0-9a-f]{2}){19}|(?:-[0-9a-f]{2}){5}|(?:-[0-9a-f]{2}){7}|(?:-[0-9a-f]{2}){19})|[0-9a-f]{4}(?:(?:\.[0-9a-f]{4}){2}|(?:\.[0-9a-f]{4}){3}|(?:\.[0-9a-f]{4}){9}))$/i,
    ),
  ],
  ["uuid", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid3", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid4", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["uuid5", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ["hexcolor", matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", isRgbColor],
  ["byte", isBase64],
  ["date", isDate],
  ["duration", (text) => parseDuration(text) !== undefined || isWordyDuration(text)],
  ["datetime", isDateTime],
  ["shortname", (text) => isDns1123Label(text).length === 0],
  ["longname", (text) => isDns1123Subdomain(text).length === 0],
]);

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => text.length <= checkedLengthMax && pattern.test(text);
}

/** Labels and a top-level domain of two letters or more; or one name, whose hyphens are inside. */
function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  const labels = text.split(".");
  if (labels.some((label) => Buffer.byteLength(label) > 63)) return false;
  const last = labels.pop() ?? "";
  if (labels.length === 0) return /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})$/u.test(last);
  const isLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
  return labels.every((label) => isLabel.test(label)) && /^\p{L}{2,63}$/u.test(last);
}

const atom = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

/** An address of RFC 5322, with or without a name: `Ann <ann@example.com>`. */
function isEmail(text: string): boolean {
  if (text.length > 1024) return false;
  const named = /^([^<>]*)<([^<>]*)>\s*$/.exec(text);
  const address = (named?.[2] ?? text).trim();
  const name = (named?.[1] ?? "").trim();
  const words = /^(?:[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.\s-]*|"(?:[^"\\]|\\.)*")$/u;
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || !words.test(name)) return false;
  const isLocal = atom.test(local) || /^"(?:[^"\\]|\\.)+"$/.test(local);
  return isLocal && (atom.test(domain) || /^\[[^\s[\]\\]*\]$/.test(domain));
}

function isIsbn10(text: string): boolean {
  const digits = text.length > 32 ? "" : text.replaceAll(/[\s-]/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++)
    sum += (10 - index) * (digits[index] === "X" ? 10 : Number(digits[index]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.length > 32 ? "" : text.replaceAll(/[\s-]/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 13; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index]);
  return sum % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const digits = text.length > 64 ? "" : text.replaceAll(/\D/g, "");
  if (
    !/^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/.test(
      digits,
    )
  ) {
    return false;
  }
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = Number(digits[index]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

function isRgbColor(text: string): boolean {
  const parts =
    text.length > 64 ? null : /^rgb\(\s*(0|[1-9]\d*)\s*,\s*(0|[1-9]\d*)\s*,\s*(0|[1-9]\d*)\s*\)$/.exec(text);
  return parts?.slice(1).every((part) => Number(part) <= 255) ?? false;
}

function isBase64(text: string): boolean {
  return text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]; // the pattern has three groups
  // 2000 stands for the year 0, a leap year too: Date.UTC would take it for 1900.
  const date = new Date(Date.UTC(year < 100 ? year + 2000 : year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** With seconds and an offset, as RFC 3339 requires. */
function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(
    text,
  );
  if (parts === null) return false;
  const [, date = "", hour, minute, second] = parts;
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

const wordyUnit = /^(?:ns|us|\u00b5s|ms|[smhdw]|hr|wk)$|^(?:nano|micro|milli|sec|min|hour|day|week)/i;

/** Text with at least one part such as `3 days`; the rest is ignored, as kube-apiserver does. */
function isWordyDuration(text: string): boolean {
  if (text.length > 256) return false;
  for (const [, unit = ""] of text.matchAll(/\d+\s*([A-Za-z\u00b5]+)/g))
    if (wordyUnit.test(unit)) return true;
  return false;
}
