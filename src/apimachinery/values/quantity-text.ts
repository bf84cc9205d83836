import { compareScaled, divideAwayFromZero, int64Max } from "./scaled-integers.js";

export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** With Kubernetes' text. */
export class QuantityError extends Error {
  override readonly name = "QuantityError";
}

/** Longer texts take seconds to convert. */
const charactersMax = 1000;

const formatWrong =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixWrong = "unable to parse quantity's suffix";

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const decimalSuffixOf: ReadonlyMap<number, string> = new Map(
  [...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]),
);
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const nano = -9;
/** This many digits always fit 64 bits. */
const int64Digits = 18;
/** Kubernetes has no limit here and may compute for hours; real values stay far below. */
const exponentMax = 1000;
/** Smaller amounts are rounded up to a billionth. */
const exponentMin = -10_000;

/** A quantity as its text gives it: `amount × 10^exponent`. */
export interface ParsedQuantity {
  /** As text: an optional minus, and no zeros at either end. */
  readonly amount: bigint | string;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The text that was parsed, if Kubernetes considers it canonical. */
  readonly text?: string | undefined;
}

/** Throws `QuantityError`. */
export function parseQuantity(text: string): ParsedQuantity {
  if (text === "" || text.length > charactersMax) throw new QuantityError(formatWrong);
  const parts = partsOf(text);
  return parseSmall(text, parts) ?? parseLarge(parts);
}

interface SmallQuantity extends ParsedQuantity {
  readonly amount: bigint;
}

/** What Kubernetes holds after parsing `text`, if the amount fits its fast arithmetic. Throws `QuantityError`. */
export function parseSmallQuantity(text: string): SmallQuantity | undefined {
  if (text === "0") return { amount: 0n, exponent: 0, format: "DecimalSI", text };
  return parseSmall(text, partsOf(text));
}

interface Parts {
  readonly negative: boolean;
  /** Digits without leading zeros, "0" when there are none. */
  readonly number: string;
  /** Digits behind the point. */
  readonly fraction: string;
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const shape = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

function partsOf(text: string): Parts {
  const found = shape.exec(text);
  if (found === null) throw new QuantityError(formatWrong);
  const [, sign, number = "", fraction = "", suffix = ""] = found;
  const { base, exponent, format } = interpretSuffix(suffix);
  return { negative: sign === "-", number: number === "" ? "0" : number, fraction, base, exponent, format };
}

function interpretSuffix(suffix: string): Pick<Parts, "base" | "exponent" | "format"> {
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: "DecimalSI" };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { base: 2, exponent: binary * 10, format: "BinarySI" };
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) throw new QuantityError(suffixWrong);
  const exponent = Number(suffix.slice(1));
  if (exponent > exponentMax || exponent < exponentMin) throw new QuantityError(suffixWrong);
  return { base: 10, exponent, format: "DecimalExponent" };
}

/**
 * Kubernetes' fast path for amounts that fit 64 bits. It matters here for one reason: texts that pass its rough check for canonical
 * form are printed unchanged (`+1`, `1.500`).
 */
function parseSmall(text: string, parts: Parts): SmallQuantity | undefined {
  const binary = parts.format === "BinarySI";
  if (binary && parts.fraction !== "") return undefined;
  const room = binary
    ? 15 - parts.number.length - Math.trunc((parts.exponent * 3) / 10) - 1
    : int64Digits - (parts.number.length + parts.fraction.length);
  const exponent = (binary ? 0 : parts.exponent) - parts.fraction.length;
  if (room < 0 || exponent < nano) return undefined;
  const digits = parts.number + parts.fraction;
  const value = BigInt(digits);
  const product = binary ? value << BigInt(parts.exponent) : value;
  if (product > int64Max) return undefined;
  const looksCanonical = binary
    ? (value & 7n) !== 0n
    : exponent % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
  return {
    amount: parts.negative ? -product : product,
    exponent,
    format: parts.format,
    text: looksCanonical ? text : undefined,
  };
}

function parseLarge({ base, negative, number, fraction, format, exponent }: Parts): ParsedQuantity {
  if (base === 10) {
    const { digits, exponent: scale } = roundedDigits({ number, fraction, exponent });
    const amount = digits === "" ? 0n : negative ? `-${digits}` : digits;
    return { amount, exponent: scale, format };
  }
  let unscaled = BigInt(number + fraction) << BigInt(exponent);
  let scale = -fraction.length;
  if (scale < nano) {
    unscaled = divideAwayFromZero(unscaled, nano - scale);
    scale = nano;
  }
  if (compareScaled(unscaled, scale, int64Max, 0) > 0) {
    unscaled = int64Max;
    scale = 0;
  }
  const isBelowOne = unscaled !== 0n && compareScaled(unscaled, scale, 1n, 0) < 0;
  return {
    amount: negative ? -unscaled : unscaled,
    exponent: scale,
    format: isBelowOne ? "DecimalSI" : format,
  };
}

/**
 * The digits of a decimal amount without zeros at either end, rounded up to a billionth; the amount is `digits × 10^exponent`. None
 * for zero.
 */
function roundedDigits({ number, fraction, exponent }: Pick<Parts, "number" | "fraction" | "exponent">): {
  digits: string;
  exponent: number;
} {
  const given = number + fraction;
  const end = significantEnd(given);
  let start = 0;
  while (start < end && given[start] === "0") start++;
  const digits = given.slice(start, end);
  const scale = exponent - fraction.length + (given.length - end);
  // The last digit is not zero, so there is something to round.
  if (digits === "" || scale >= nano) return { digits, exponent: scale };
  const rounded = incremented(digits.slice(0, Math.max(0, digits.length - (nano - scale))));
  const roundedEnd = significantEnd(rounded);
  return { digits: rounded.slice(0, roundedEnd), exponent: nano + (rounded.length - roundedEnd) };
}

/** The next number. No digits are zero. */
function incremented(digits: string): string {
  let nines = 0;
  while (digits[digits.length - 1 - nines] === "9") nines++;
  const last = digits.length - 1 - nines;
  const zeros = "0".repeat(nines);
  return last < 0 ? `1${zeros}` : `${digits.slice(0, last)}${Number(digits[last]) + 1}${zeros}`;
}

/** The position behind the last digit that is not zero. */
export function significantEnd(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return end;
}

/** `unscaled` is the text of a number other than 0. */
export function printDecimal(unscaled: string, exponent: number, exponentForm: boolean): string {
  const end = significantEnd(unscaled);
  let power = exponent + (unscaled.length - end);
  const excess = ((power % 3) + 3) % 3;
  power -= excess;
  const mantissa = unscaled.slice(0, end) + "0".repeat(excess);
  if (exponentForm) return power === 0 ? mantissa : `${mantissa}e${power}`;
  // Beyond E there is no suffix, and Kubernetes prints none.
  return `${mantissa}${decimalSuffixOf.get(power) ?? ""}`;
}

export function printBinary(whole: bigint): string {
  let mantissa = whole;
  let power = 0;
  while (mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power++;
  }
  return `${mantissa}${binarySuffixes[power] ?? ""}`;
}
