/** Why a text is no integer, in the words of Go's `strconv`. */
export type IntegerProblem = "invalid syntax" | "value out of range";

export interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

export const int64: IntegerRange = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
export const uint64: IntegerRange = { min: 0n, max: 2n ** 64n - 1n };

/** Zeros before a number included: the conversion takes longer than a megabyte of digits deserves. */
const digitsMax = 100;

/** Decimal digits, after a sign where the range has negative numbers. */
export function parseDecimal(text: string, { min, max }: IntegerRange): bigint | IntegerProblem {
  const [, sign = "", digits = ""] = (min < 0n ? /^([-+]?)(\d+)$/ : /^()(\d+)$/).exec(text) ?? [];
  if (digits === "") return "invalid syntax";
  if (digits.length > digitsMax) return "value out of range";
  const value = sign === "-" ? -BigInt(digits) : BigInt(digits);
  return value < min || value > max ? "value out of range" : value;
}
