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
  /** The amount is `unscaled × 10^exponent`. */
  readonly #unscaled: bigint;
  readonly #exponent: number;
  readonly format: QuantityFormat;
  /** The text it was parsed from, if Kubernetes considers it canonical. */
  #text: string | undefined;

  private constructor(unscaled: bigint, exponent: number, format: QuantityFormat, text?: string) {
    this.#unscaled = unscaled;
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
      let unscaled = BigInt(parts.number + parts.fraction);
      let scale = -parts.fraction.length;
      if (parts.base === 10) scale += parts.exponent;
      else unscaled <<= BigInt(parts.exponent);
      if (scale < nano) {
        unscaled = divideAwayFromZero(unscaled, nano - scale);
        scale = nano;
      }
      let shown = parts.format;
      if (shown === "BinarySI") {
        if (compareScaled(unscaled, scale, int64Max, 0) > 0) {
          unscaled = int64Max;
          scale = 0;
        }
        if (unscaled !== 0n && compareScaled(unscaled, scale, 1n, 0) < 0) shown = "DecimalSI";
      }
      return new Quantity(parts.negative ? -unscaled : unscaled, scale, shown);
    }
  }

  isZero(): boolean {
    return this.#unscaled === 0n;
  }

  sign(): -1 | 0 | 1 {
    return signOf(this.#unscaled);
  }

  compare(other: Quantity): number {
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

  /** Rounded away from zero to a multiple of `10^exponent`; this quantity itself where it is one. */
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
    return Number(`${this.#unscaled}e${this.#exponent}`);
  }

  toString(): string {
    this.#text ??= this.#canonical();
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
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
    if (this.#unscaled === 0n) return "0";
    if (this.format === "BinarySI") {
      const { whole, exact } = this.#scaled(0);
      const small = compareScaled(abs(this.#unscaled), this.#exponent, 1024n, 0) < 0;
      if (exact && !small) return printBinary(whole);
    }
    return printDecimal(this.#unscaled, this.#exponent, this.format === "DecimalExponent");
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

function printDecimal(unscaled: bigint, exponent: number, exponentForm: boolean): string {
  const zeros = trailingZeros(unscaled);
  let mantissa = unscaled / powerOfTen(zeros);
  let power = exponent + zeros;
  const excess = ((power % 3) + 3) % 3;
  mantissa *= powerOfTen(excess);
  power -= excess;
  if (exponentForm) return power === 0 ? `${mantissa}` : `${mantissa}e${power}`;
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

/** Number of decimal digits; 0 for 0. Dividing by ten in a loop would be quadratic. */
function trailingZeros(value: bigint): number {
  if (value % 10n !== 0n || value === 0n) return 0;
  const digits = value.toString();
  let zeros = 0;
  while (digits[digits.length - 1 - zeros] === "0") zeros++;
  return zeros;
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
