import { parseDuration } from "../duration.js";
import { ipFamilyOf, parseCidr } from "../validation/ip-addresses.js";

/** Longer text fails every format that is checked by a regular expression. */
const checkedLengthMax = 64 * 1024;

/**
 * Whether `text` has the format. Formats that Kubernetes 1.23 does not know accept anything. Source: the supported formats in the
 * Kubernetes documentation, "CustomResourceDefinition", and go-openapi `strfmt`.
 */
export function isOfFormat(text: string, format: string): boolean {
  const check = checks.get(format.replaceAll("-", ""));
  return check === undefined || check(text);
}

const checks: ReadonlyMap<string, (text: string) => boolean> = new Map<string, (text: string) => boolean>([
  ["bsonobjectid", matching(/^[0-9a-fA-F]{24}$/)],
  ["uri", isUri],
  ["email", matching(/^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+$/)],
  ["hostname", isHostname],
  ["ipv4", (text) => ipFamilyOf(text) === "IPv4"],
  ["ipv6", (text) => ipFamilyOf(text) === "IPv6"],
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
  ["ssn", matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ["hexcolor", matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", isRgbColor],
  ["byte", isBase64],
  ["date", isDate],
  ["duration", (text) => parseDuration(text) !== undefined || isWordyDuration(text)],
  ["datetime", isDateTime],
]);

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => text.length <= checkedLengthMax && pattern.test(text);
}

/** An absolute URI, or an absolute path. */
function isUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (text === "" || /[\u0000-\u0020\u007f]/.test(text)) return false;
  return text.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:./.test(text);
}

function isHostname(text: string): boolean {
  if (text.length > 255) return false;
  const labels = text.replace(/\.$/, "").split(".");
  return labels.every(
    (label) => label.length <= 63 && /^[a-zA-Z0-9\p{L}](?:[\p{L}\w-]*[a-zA-Z0-9\p{L}])?$/u.test(label),
  );
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
  const parts = text.length > 64 ? null : /^rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(text);
  return parts?.slice(1).every((part) => Number(part) <= 255) ?? false;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]; // the pattern has three groups
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const parts =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/.exec(
      text,
    );
  if (parts === null) return false;
  const [, date = "", hour, minute, second = "0"] = parts;
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

/** `3 days`, `1.5h`. */
function isWordyDuration(text: string): boolean {
  return (
    text.length <= 256 &&
    /^(?:\d+(?:\.\d+)?\s*(?:ns|nano|us|\u00b5s|micro|ms|milli|s|sec|second|m|min|minute|h|hr|hour|d|day|w|wk|week)s?\s*)+$/.test(
      text,
    )
  );
}
