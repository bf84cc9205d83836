import { Buffer } from "node:buffer";
import { floatText } from "../errors/go-number.js";
import { namedEscapes } from "../errors/quoted-text.js";
import { formatTime } from "../values/time.js";
import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import { CelDuration, CelTimestamp } from "./cel-times.js";
import {
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTypeValue,
  CelUint,
  CelUrl,
  type CelValue,
  typeOfValue,
} from "./cel-value.js";
import { longPrecision, precisionMax, readClause, type Verb, wrongValueText } from "./format-clauses.js";

/** Texts for people: `format`, `quote` and conversions to `string`. Source: cel-go, extension "strings". */

const precisionDefault = 6;
const clauseSteps = 20;
const signSteps = 10;
/** A number takes some microseconds. */
const numberSteps = 100;
/** A value within a list or map. */
const literalSteps = 5;

/** Replaces each clause of the template (`%s`, `%d`, `%.3f`, `%e`, `%b`, `%o`, `%x`, `%X`) by the next value; `%%` is a percent sign. */
export function formatText(template: string, values: CelList, budget: CelBudget): string {
  let text = "";
  let used = 0;
  let from = 0;
  for (;;) {
    const at = template.indexOf("%", from);
    if (at < 0) return text + template.slice(from);
    budget.spend(clauseSteps);
    text += template.slice(from, at);
    if (template[at + 1] === "%") {
      text += "%";
      from = at + 2;
      continue;
    }
    if (used >= values.size) throw new CelRuntimeError(`index ${used} out of range`);
    const { verb, precision, end } = readClause(template, at);
    if (precision > precisionMax) throw longPrecision();
    const printed = printers[verb](values.at(used++), { precision, budget });
    budget.spend(printed.length * 0.1);
    text += printed;
    from = end;
  }
}

interface Printing {
  readonly precision: number;
  readonly budget: CelBudget;
}

type Printer = (value: CelValue, printing: Printing) => string;

const printers: Readonly<Record<Verb, Printer>> = {
  s: (value, { budget }) => plainText(value, budget),
  d: (value) => {
    const integer = integerOf(value);
    if (integer === undefined) throw wrongValue("d", value);
    return String(integer);
  },
  f: (value, { precision, budget }) => {
    const double = doubleOf(value);
    if (double === undefined) throw wrongValue("f", value);
    budget.spend(numberSteps);
    return fixedText(double, precision);
  },
  e: (value, { precision }) => {
    const double = doubleOf(value);
    if (double === undefined) throw wrongValue("e", value);
    if (!Number.isFinite(double)) return double.toLocaleString("en-US");
    const [mantissa = "", exponent = "+0"] = double.toExponential(precision).split("e");
    const digits = exponent.slice(1).padStart(2, "0");
    const raised = digits.replace(/\d/g, (digit) => superscripts[Number(digit)] ?? "");
    return `${mantissa}\u202f×\u202f10${exponent.startsWith("-") ? "⁻" : ""}${raised}`;
  },
  b: (value) => {
    const integer = typeof value === "boolean" ? BigInt(value) : integerOf(value);
    if (integer === undefined) throw wrongValue("b", value);
    return integer.toString(2);
  },
  o: (value) => {
    const integer = integerOf(value);
    if (integer === undefined) throw wrongValue("o", value);
    return integer.toString(8);
  },
  x: hexText,
  X: (value, printing) => hexText(value, printing).toUpperCase(),
};

/** With separators between groups of digits. */
function fixedText(value: number, precision: number): string {
  if (!Number.isFinite(value)) return value.toLocaleString("en-US");
  const sign = value < 0 ? "-" : "";
  const [whole = "", fraction = ""] = decimalText(Math.abs(value), precision).split(".");
  const grouped = BigInt(whole).toLocaleString("en-US");
  return fraction === "" ? `${sign}${grouped}` : `${sign}${grouped}.${fraction}`;
}

const integerMax = 2 ** 64;

/** Like Kubernetes, rounds `size` times the power of ten, halves to even; Kubernetes cannot print a product beyond 64 bits. */
function decimalText(size: number, precision: number): string {
  const scaled = size * 10 ** precision;
  if (scaled >= integerMax) {
    return size < 1e21 ? size.toFixed(precision) : `${BigInt(size)}.${"0".repeat(precision)}`;
  }
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const isUp = rest > 0.5 || (rest === 0.5 && floor % 2 === 1);
  const digits = String(BigInt(isUp ? floor + 1 : floor)).padStart(precision + 1, "0");
  return `${digits.slice(0, digits.length - precision)}.${digits.slice(digits.length - precision)}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function hexText(value: CelValue, { budget }: Printing): string {
  if (typeof value === "string" || value instanceof Uint8Array) {
    budget.spend(value.length * 0.2);
    const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : Buffer.from(value);
    return bytes.toString("hex");
  }
  const integer = integerOf(value);
  if (integer === undefined) {
    throw wrongValue("x", value);
  }
  return integer.toString(16);
}

function integerOf(value: CelValue): bigint | undefined {
  if (value instanceof CelUint) return value.value;
  return typeof value === "bigint" ? value : undefined;
}

/** NaN and the infinities may also be given by name. */
function doubleOf(value: CelValue): number | undefined {
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  return typeof value === "number" ? value : undefined;
}

function wrongValue(verb: Verb, value: CelValue): CelRuntimeError {
  return new CelRuntimeError(wrongValueText(verb, typeOfValue(value)));
}

/** A value by itself. */
function plainText(value: CelValue, budget: CelBudget): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return floatText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (value instanceof CelTimestamp) return timeText(value);
  if (value instanceof CelDuration) return secondsText(value.nanos);
  if (value instanceof CelTypeValue) return value.text;
  if (value instanceof CelOpaque || value instanceof CelUrl || value instanceof CelOptional)
    throw wrongValue("s", value);
  return literalText(value, budget);
}

/** A value within a list or map, as the language writes it. */
function literalText(value: CelValue, budget: CelBudget): string {
  budget.spend(literalSteps);
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? value.toFixed(precisionDefault) : `"${floatText(value)}"`;
  if (typeof value === "string") return quotedText(value, budget);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return `b${quotedText(Buffer.from(value).toString("utf8"), budget)}`;
  if (value instanceof CelTimestamp) return `timestamp("${timeText(value)}")`;
  if (value instanceof CelDuration) return `duration("${secondsText(value.nanos)}")`;
  if (value instanceof CelTypeValue) return value.text;
  if (value instanceof CelList) {
    const items: string[] = [];
    for (const item of value.values()) items.push(spent(literalText(item, budget), budget));
    return `[${items.join(", ")}]`;
  }
  if (value instanceof CelMap) {
    const entries: (readonly [string, string])[] = [];
    for (const key of value.keys()) {
      entries.push([
        typeof key === "string" ? quotedText(key, budget) : String(key),
        spent(literalText(value.get(key) ?? null, budget), budget),
      ]);
    }
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, text]) => `${key}:${text}`).join(", ")}}`;
  }
  throw new CelRuntimeError(`error during formatting: no formatting function for ${typeOfValue(value)}`);
}

function spent(text: string, budget: CelBudget): string {
  budget.spend(text.length * 0.1);
  return text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const escapedSigns = /[\u0007\b\f\n\r\t\v\\"]/g;

/** In quotes, with escapes for what would end or break the text. */
export function quotedText(text: string, budget: CelBudget): string {
  const parts: string[] = [];
  let from = 0;
  // `replace` would find every match before the budget is checked for the first.
  for (const { 0: sign, index } of text.matchAll(escapedSigns)) {
    budget.spend(signSteps);
    parts.push(text.slice(from, index), namedEscapes[sign] ?? sign);
    from = index + 1;
  }
  return `"${parts.join("")}${text.slice(from)}"`;
}

const second = 1_000_000_000n;

/** In the zone of the time. */
export function timeText({ nanos, offsetMinutes }: CelTimestamp): string {
  const fraction = ((nanos % second) + second) % second;
  const seconds = Number((nanos - fraction) / second) + offsetMinutes * 60;
  const decimals = fraction === 0n ? "" : `.${String(fraction).padStart(9, "0").replace(/0+$/, "")}`;
  return `${formatTime(seconds).slice(0, -1)}${decimals}${zoneText(offsetMinutes)}`;
}

function zoneText(offsetMinutes: number): string {
  if (offsetMinutes === 0) return "Z";
  const size = Math.abs(offsetMinutes);
  const parts = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0"));
  return `${offsetMinutes < 0 ? "-" : "+"}${parts.join(":")}`;
}

/** As the language prints durations: in seconds. */
export function secondsText(nanos: bigint): string {
  if (nanos % second === 0n) return `${nanos / second}s`;
  const seconds = Number(nanos / second) + Number(nanos % second) / 1e9;
  // Below a microsecond, a number would be written with an exponent.
  return Math.abs(seconds) < 1e-6 ? `${seconds.toFixed(9).replace(/0+$/, "")}s` : `${seconds}s`;
}
