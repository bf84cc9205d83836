/**
 * Amounts of resources (`500m`, `1.5Gi`, `1e3`) with exact decimal arithmetic. Parsing, rounding and printing
 * are Kubernetes' (apimachinery `pkg/api/resource`), its quirks included, because the printed form is
 * compared, stored and hashed by clients.
 */

export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

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

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const nano = -9;
/** This many digits always fit 64 bits. */
const int64Digits = 18;
/** Kubernetes has no limit here and may compute for hours; real values stay far below. */
const exponentMax = 1000;
/** Smaller amounts are rounded up to a billionth. */
const exponentMin = -10_000;

export class Quantity {
  /**
   * The amount is this × 10^exponent. As text, with an optional minus and without zeros at its ends, until it is needed as a number:
   * converting hundreds of digits, and printing them again, takes far longer than reading them.
   */
  #amount: bigint | string;
  readonly #exponent: number;
  readonly format: QuantityFormat;
  /** The text it was parsed from, if Kubernetes considers it canonical. */
  #text: string | undefined;

  private constructor(amount: bigint | string, exponent: number, format: QuantityFormat, text?: string) {
    this.#amount = amount;
    this.#exponent = exponent;
    this.format = format;
    this.#text = text;
  }

  static readonly zero = new Quantity(0n, 0, "DecimalSI", "0");

  static fromInt(value: number | bigint, format: QuantityFormat = "DecimalSI"): Quantity {
    return new Quantity(BigInt(value), 0, format);
  }

  static fromMilli(value: number | bigint, format: QuantityFormat = "DecimalSI"): Quantity {
    return new Quantity(BigInt(value), -3, format);
  }

  /** Throws `QuantityError` with Kubernetes' text. */
  static parse(text: string): Quantity {
    if (text === "" || text.length > charactersMax) throw new QuantityError(formatWrong);
    if (text === "0") return Quantity.zero;
    const { negative, number, fraction, suffix } = split(text);
    const { base, exponent, format } = interpretSuffix(suffix);
    const quick = parseSmall(text, { negative, number, fraction, base, exponent, format });
    if (quick !== undefined) return new Quantity(quick.unscaled, quick.exponent, format, quick.text);
    return parseLarge({ negative, number, fraction, base, exponent, format });

    // Nested for access to the private constructor.
    function parseLarge(parts: Parts): Quantity {
      if (parts.base === 10) {
        const { digits, exponent } = roundedDigits(parts);
        if (digits === "") return new Quantity(0n, exponent, parts.format);
        return new Quantity(parts.negative ? `-${digits}` : digits, exponent, parts.format);
      }
      let unscaled = BigInt(parts.number + parts.fraction) << BigInt(parts.exponent);
      let scale = -parts.fraction.length;
      if (scale < nano) {
        unscaled = divideAwayFromZero(unscaled, nano - scale);
        scale = nano;
      }
      if (compareScaled(unscaled, scale, int64Max, 0) > 0) {
        unscaled = int64Max;
        scale = 0;
      }
      const isBelowOne = unscaled !== 0n && compareScaled(unscaled, scale, 1n, 0) < 0;
      return new Quantity(
        parts.negative ? -unscaled : unscaled,
        scale,
        isBelowOne ? "DecimalSI" : parts.format,
      );
    }
  }

  /** The same amount, printed in another format. */
  inFormat(format: QuantityFormat): Quantity {
    return new Quantity(this.#amount, this.#exponent, format);
  }

  isZero(): boolean {
    return this.#amount === 0n;
  }

  sign(): -1 | 0 | 1 {
    if (typeof this.#amount === "string") return this.#amount.startsWith("-") ? -1 : 1;
    return signOf(this.#amount);
  }

  compare(other: Quantity): number {
    if (typeof this.#amount === "string" || typeof other.#amount === "string") {
      return compareDigits(this.#digits(), other.#digits());
    }
    return compareScaled(this.#unscaled, this.#exponent, other.#unscaled, other.#exponent);
  }

  /** Keeps this format, or takes the other's when this amount is zero. */
  add(other: Quantity): Quantity {
    return this.#plus(other, other.#unscaled);
  }

  sub(other: Quantity): Quantity {
    return this.#plus(other, -other.#unscaled);
  }

  neg(): Quantity {
    return new Quantity(-this.#unscaled, this.#exponent, this.format);
  }

  /** Undefined when the amount is not whole or does not fit 64 bits. */
  asInt64(): bigint | undefined {
    const { whole, exact } = this.#scaled(0);
    return exact && whole <= int64Max && whole >= int64Min ? whole : undefined;
  }

  /** Rounded away from zero to a whole number. */
  value(): bigint {
    return this.#scaled(0).whole;
  }

  /** Thousandths, rounded away from zero. */
  milliValue(): bigint {
    return this.#scaled(-3).whole;
  }

  /** Rounded away from zero to a multiple of `10^exponent`; this quantity itself if it is one. */
  roundedTo(exponent: number): Quantity {
    if (this.#exponent >= exponent) return this;
    const { whole, exact } = this.#scaled(exponent);
    return exact ? this : new Quantity(whole, exponent, this.format);
  }

  isWhole(): boolean {
    return this.#exponent >= 0 || this.#scaled(0).exact;
  }

  /** In units of `10^exponent`, rounded away from zero. */
  scaledValue(exponent: number): bigint {
    return this.#scaled(exponent).whole;
  }

  asNumber(): number {
    return Number(`${this.#amount}e${this.#exponent}`);
  }

  toString(): string {
    this.#text ??= this.#canonical();
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }

  get #unscaled(): bigint {
    if (typeof this.#amount === "string") this.#amount = BigInt(this.#amount);
    return this.#amount;
  }

  #digits(): Digits {
    const sign = this.sign();
    const text = `${this.#amount}`.slice(sign < 0 ? 1 : 0);
    return { sign, digits: text.slice(0, significantEnd(text)), magnitude: text.length + this.#exponent };
  }

  #plus(other: Quantity, unscaled: bigint): Quantity {
    const format = this.isZero() ? other.format : this.format;
    const exponent = Math.min(this.#exponent, other.#exponent);
    const sum =
      this.#unscaled * powerOfTen(this.#exponent - exponent) +
      unscaled * powerOfTen(other.#exponent - exponent);
    return new Quantity(sum, exponent, format);
  }

  #scaled(exponent: number): { whole: bigint; exact: boolean } {
    const shift = this.#exponent - exponent;
    if (shift >= 0) return { whole: this.#unscaled * powerOfTen(shift), exact: true };
    const whole = divideAwayFromZero(this.#unscaled, -shift);
    return { whole, exact: whole * powerOfTen(-shift) === this.#unscaled };
  }

  #canonical(): string {
    if (this.isZero()) return "0";
    if (this.format === "BinarySI") {
      const { whole, exact } = this.#scaled(0);
      const small = compareScaled(abs(this.#unscaled), this.#exponent, 1024n, 0) < 0;
      if (exact && !small) return printBinary(whole);
    }
    return printDecimal(`${this.#amount}`, this.#exponent, this.format === "DecimalExponent");
  }
}

/** How Kubernetes prints `text` after parsing it. Throws `QuantityError`. */
export function canonicalQuantity(text: string): string {
  return Quantity.parse(text).toString();
}

interface SmallAmount {
  /** The amount is `unscaled × 10^exponent`. */
  readonly unscaled: bigint;
  readonly exponent: number;
  /** Undefined when the parsed text is not considered canonical. */
  readonly text: string | undefined;
}

/** What Kubernetes holds after parsing `text`, if the amount fits its fast arithmetic. Throws `QuantityError`. */
export function smallAmount(text: string): SmallAmount | undefined {
  if (text === "0") return { unscaled: 0n, exponent: 0, text };
  const { suffix, ...digits } = split(text);
  return parseSmall(text, { ...digits, ...interpretSuffix(suffix) });
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

function split(text: string): { negative: boolean; number: string; fraction: string; suffix: string } {
  const found = shape.exec(text);
  if (found === null) throw new QuantityError(formatWrong);
  const [, sign, number = "", fraction = "", suffix = ""] = found;
  return { negative: sign === "-", number: number === "" ? "0" : number, fraction, suffix };
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
function parseSmall(text: string, parts: Parts): SmallAmount | undefined {
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
    unscaled: parts.negative ? -product : product,
    exponent,
    text: looksCanonical ? text : undefined,
  };
}

/**
 * The digits of a decimal amount without zeros at either end, rounded up to a billionth; the amount is `digits × 10^exponent`. None
 * for zero.
 */
function roundedDigits({ number, fraction, exponent }: Parts): { digits: string; exponent: number } {
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
function significantEnd(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return end;
}

/** `unscaled` is the text of a number other than 0. */
function printDecimal(unscaled: string, exponent: number, exponentForm: boolean): string {
  const end = significantEnd(unscaled);
  let power = exponent + (unscaled.length - end);
  const excess = ((power % 3) + 3) % 3;
  power -= excess;
  const mantissa = unscaled.slice(0, end) + "0".repeat(excess);
  if (exponentForm) return power === 0 ? mantissa : `${mantissa}e${power}`;
  // Beyond E there is no suffix, and Kubernetes prints none.
  return `${mantissa}${decimalSuffixOf.get(power) ?? ""}`;
}

function printBinary(whole: bigint): string {
  let mantissa = whole;
  let power = 0;
  while (mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power++;
  }
  return `${mantissa}${binarySuffixes[power] ?? ""}`;
}

function compareScaled(a: bigint, aExponent: number, b: bigint, bExponent: number): number {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign < signOf(b) ? -1 : 1;
  if (sign === 0) return 0;
  if (aExponent === bExponent) return a < b ? -1 : a > b ? 1 : 0;
  // When the exponents are far apart, the position of the first digit decides, without numbers of that many digits.
  const magnitude = digitsOf(a) + aExponent - (digitsOf(b) + bExponent);
  if (magnitude !== 0) return magnitude > 0 === sign > 0 ? 1 : -1;
  const exponent = Math.min(aExponent, bExponent);
  const left = a * powerOfTen(aExponent - exponent);
  const right = b * powerOfTen(bExponent - exponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Digits {
  readonly sign: -1 | 0 | 1;
  /** Without zeros at the end. */
  readonly digits: string;
  /** The position of the first digit, from the point to the left. */
  readonly magnitude: number;
}

function compareDigits(a: Digits, b: Digits): number {
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1;
  if (a.magnitude !== b.magnitude) return a.magnitude < b.magnitude ? -a.sign : a.sign;
  // Digits at the same positions are in the order of their texts.
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}

function signOf(value: bigint): -1 | 0 | 1 {
  return value === 0n ? 0 : value < 0n ? -1 : 1;
}

/** Decimal digits of a number other than 0. Printing a long one takes far longer. */
function digitsOf(value: bigint): number {
  const amount = abs(value);
  const bitsMin = 4 * (amount.toString(16).length - 1);
  let digits = Math.floor(bitsMin * Math.log10(2));
  while (amount >= powerOfTen(digits)) digits++;
  return digits;
}

const powersKept = 2048;
const powers: bigint[] = [];

/** Kept, because a large one takes microseconds to compute and amounts of a body often need the same one. */
function powerOfTen(exponent: number): bigint {
  if (exponent >= powersKept) return 10n ** BigInt(exponent);
  powers[exponent] ??= 10n ** BigInt(exponent);
  return powers[exponent];
}

function divideAwayFromZero(value: bigint, digits: number): bigint {
  if (value === 0n) return 0n;
  // Everything below one unit becomes one; this also keeps the divisor small.
  if (digits > digitsOf(value)) return value < 0n ? -1n : 1n;
  const divisor = powerOfTen(digits);
  const quotient = value / divisor;
  if (quotient * divisor === value) return quotient;
  return quotient + (value < 0n ? -1n : 1n);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
