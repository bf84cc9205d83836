import { Buffer } from "node:buffer";

/**
 * Instants as the API writes them: RFC 3339 in UTC, whole seconds (`Time`) or six decimals (`MicroTime`).
 * Accepts and rejects what Kubernetes' parser does, in its words.
 */

export interface Instant {
  /** Since 1970-01-01T00:00:00Z, rounded down. */
  readonly seconds: number;
  /** In [0, 1e9). */
  readonly nanos: number;
}

/** 0001-01-01T00:00:00Z, which the API treats as "not set". */
export const zeroTimeSeconds = -62_135_596_800;

/** 9999-12-31T23:59:59Z, the last time that can be printed. */
export const lastTimeSeconds = 253_402_300_799;

export class TimeParseError extends Error {
  override readonly name = "TimeParseError";
}

const secondsLayout = "2006-01-02T15:04:05Z07:00";
const microsLayout = "2006-01-02T15:04:05.000000Z07:00";

/** Any number of fractional digits is accepted. Throws `TimeParseError`. */
export function parseTime(text: string): Instant {
  return parse(text, secondsLayout, 0);
}

/** Exactly six fractional digits are required. Throws `TimeParseError`. */
export function parseMicroTime(text: string): Instant {
  return parse(text, microsLayout, 6);
}

/** `2006-01-02T15:04:05Z`. */
export function formatTime(seconds: number): string {
  return `${formatUntilSecond(seconds)}Z`;
}

/** In the form of object metadata, in whole seconds: `2006-01-02T15:04:05Z`. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** In the form of leases and events: `2006-01-02T15:04:05.123000Z`. */
export function microTimestamp(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}

/** `2006-01-02T15:04:05.000000Z`; truncated to microseconds. */
export function formatMicroTime(instant: Instant): string {
  const micros = Math.floor(instant.nanos / 1000);
  return `${formatUntilSecond(instant.seconds)}.${String(micros).padStart(6, "0")}Z`;
}

/**
 * Seconds of a text that is exactly `2006-01-02T15:04:05Z` with valid parts, else undefined: nearly all times have this form, and it
 * is read without allocation.
 */
export function canonicalTimeSeconds(text: string): number | undefined {
  if (text.length !== 20 || text.charCodeAt(19) !== 0x5a) return undefined;
  return canonicalSeconds(text);
}

/** Like `canonicalTimeSeconds`, for `2006-01-02T15:04:05.000000Z`; the microseconds are in `slice(20, 26)`. */
export function canonicalMicroTimeSeconds(text: string): number | undefined {
  if (text.length !== 27 || text.charCodeAt(26) !== 0x5a || text.charCodeAt(19) !== 0x2e) return undefined;
  if (twoDigits(text, 20) < 0 || twoDigits(text, 22) < 0 || twoDigits(text, 24) < 0) return undefined;
  return canonicalSeconds(text);
}

function canonicalSeconds(text: string): number | undefined {
  const century = twoDigits(text, 0);
  const year = century * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const separators =
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a;
  const inRange =
    century >= 0 &&
    twoDigits(text, 2) >= 0 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    (day <= 28 || day <= daysIn(year, month)) &&
    hour >= 0 &&
    hour < 24 &&
    minute >= 0 &&
    minute < 60 &&
    second >= 0 &&
    second < 60;
  if (!separators || !inRange) return undefined;
  return daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
}

/** Negative when either is not a digit. */
function twoDigits(text: string, at: number): number {
  const high = text.charCodeAt(at) - 48;
  const low = text.charCodeAt(at + 1) - 48;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : -1000;
}

function formatUntilSecond(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const { year, month, day } = civilFromDays(days);
  const hour = Math.floor(rest / 3600);
  const minute = Math.floor(rest / 60) % 60;
  const sign = year < 0 ? "-" : "";
  const date = `${sign}${String(Math.abs(year)).padStart(4, "0")}-${two(month)}-${two(day)}`;
  return `${date}T${two(hour)}:${two(minute)}:${two(rest % 60)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** Days of the proleptic Gregorian calendar, counted in 400-year eras that begin on 1 March. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function parse(text: string, layout: string, fractionDigits: number): Instant {
  const reader = new LayoutReader(text, layout);
  const year = reader.year();
  reader.literal("-");
  const month = reader.number("01", true);
  if (month < 1 || month > 12) reader.outOfRange("month");
  reader.literal("-");
  const day = reader.number("02", true);
  reader.literal("T");
  const hour = reader.number("15", false);
  if (hour >= 24) reader.outOfRange("hour");
  reader.literal(":");
  const minute = reader.number("04", true);
  if (minute >= 60) reader.outOfRange("minute");
  reader.literal(":");
  const second = reader.number("05", true);
  if (second >= 60) reader.outOfRange("second");
  const nanos = fractionDigits > 0 ? reader.fraction(fractionDigits) : reader.anyFraction();
  const offset = reader.zone();
  reader.end();
  if (day < 1 || day > daysIn(year, month)) reader.outOfRange("day");
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  return { seconds, nanos };
}

/** Consumes a text according to the parts of a layout, and words failures as Kubernetes does. */
class LayoutReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  year(): number {
    if (!/^\d{4}/.test(this.#rest)) this.#fail("2006");
    return Number(this.#take(4));
  }

  literal(prefix: string): void {
    if (!this.#rest.startsWith(prefix)) this.#fail(prefix);
    this.#take(prefix.length);
  }

  number(layoutElement: string, twoDigitsRequired: boolean): number {
    const digits = twoDigitsRequired ? /^\d\d/ : /^\d\d?/;
    const found = digits.exec(this.#rest)?.[0];
    if (found === undefined) return this.#fail(layoutElement);
    return Number(this.#take(found.length));
  }

  fraction(digits: number): number {
    const found = new RegExp(`^[.,]\\d{${digits}}`).exec(this.#rest)?.[0];
    if (found === undefined) return this.#fail(`.${"0".repeat(digits)}`);
    return nanosOf(this.#take(found.length));
  }

  anyFraction(): number {
    const found = /^[.,]\d+/.exec(this.#rest)?.[0];
    return found === undefined ? 0 : nanosOf(this.#take(found.length));
  }

  /** Seconds east of UTC. */
  zone(): number {
    if (this.#rest.startsWith("Z")) {
      this.#take(1);
      return 0;
    }
    const found = /^([+-])(\d\d):(\d\d)/.exec(this.#rest);
    if (found === null) return this.#fail("Z07:00");
    const hours = Number(found[2]);
    const minutes = Number(found[3]);
    if (hours > 24) this.outOfRange("time zone offset hour");
    if (minutes > 60) this.outOfRange("time zone offset minute");
    this.#take(6);
    return (found[1] === "-" ? -60 : 60) * (hours * 60 + minutes);
  }

  end(): void {
    if (this.#rest === "") return;
    throw new TimeParseError(`parsing time ${quote(this.#text)}: extra text: ${quote(this.#rest)}`);
  }

  outOfRange(part: string): never {
    throw new TimeParseError(`parsing time ${quote(this.#text)}: ${part} out of range`);
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return taken;
  }

  #fail(layoutElement: string): never {
    throw new TimeParseError(
      `parsing time ${quote(this.#text)} as ${quote(this.#layout)}: ` +
        `cannot parse ${quote(this.#rest)} as ${quote(layoutElement)}`,
    );
  }
}

function nanosOf(fraction: string): number {
  return Number(fraction.slice(1, 10).padEnd(9, "0"));
}

/** Characters of a wrong text that an error shows. */
const quotedMax = 256;

/** Kubernetes shows bytes that are not printable ASCII. */
function quote(text: string): string {
  let shown = "";
  for (const byte of Buffer.from(text.slice(0, quotedMax))) {
    if (byte === 0x22 || byte === 0x5c) shown += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte >= 0x7f) shown += `\\x${byte.toString(16).padStart(2, "0")}`;
    else shown += String.fromCharCode(byte);
  }
  return text.length > quotedMax ? `"${shown}…"` : `"${shown}"`;
}
