import {
  parseQuantity,
  printBinary,
  printDecimal,
  type QuantityFormat,
  significantEnd,
} from "./quantity-text.js";
import {
  abs,
  compareScaled,
  divideAwayFromZero,
  int64Max,
  int64Min,
  powerOfTen,
  signOf,
} from "./scaled-integers.js";

/**
 * Amounts of resources (`500m`, `1.5Gi`, `1e3`) with exact decimal arithmetic. Parsing, rounding and printing
 * are Kubernetes' (apimachinery `pkg/api/resource`), its quirks included, because the printed form is
 * compared, stored and hashed by clients.
 */
export class Quantity {
  /**
   * The amount is this × 10^exponent. Stays text (optional minus, no zeros at either end) until it is needed as a number: converting
   * hundreds of digits, and printing them again, takes far longer than reading them.
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

  static fromInt(value: number | bigint): Quantity {
    return new Quantity(BigInt(value), 0, "DecimalSI");
  }

  /** Throws `QuantityError` with Kubernetes' text. */
  static parse(text: string): Quantity {
    if (text === "0") return Quantity.zero;
    const { amount, exponent, format, text: canonical } = parseQuantity(text);
    return new Quantity(amount, exponent, format, canonical);
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
  // Both have as many digits before the point, so their texts compare like the numbers.
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}
