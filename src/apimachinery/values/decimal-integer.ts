import { int64Max, int64Min } from "./scaled-integers.js";
/** Why a text is not an integer, in the words of Go's `strconv`. */
export type IntegerProblem = "invalid syntax" | "value out of range";

export interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

export const int32: IntegerRange = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
export const uint32: IntegerRange = { min: 0n, max: 2n ** 32n - 1n };
export const int64: IntegerRange = { min: int64Min, max: int64Max };
export const uint64: IntegerRange = { min: 0n, max: 2n ** 64n - 1n };

/** Includes leading zeros. Converting a megabyte of digits would take too long. */
const digitsMax = 100;

/** Decimal digits, with an optional sign where the range includes negative numbers. */
export function parseDecimal(text: string, { min, max }: IntegerRange): bigint | IntegerProblem {
  const [, sign = "", digits = ""] = (min < 0n ? /^([-+]?)(\d+)$/ : /^()(\d+)$/).exec(text) ?? [];
  if (digits === "") return "invalid syntax";
  if (digits.length > digitsMax) return "value out of range";
  const value = sign === "-" ? -BigInt(digits) : BigInt(digits);
  return value < min || value > max ? "value out of range" : value;
}
