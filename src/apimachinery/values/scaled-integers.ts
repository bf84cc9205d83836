export const int64Max = 2n ** 63n - 1n;
export const int64Min = -(2n ** 63n);

/** Negative when `a × 10^aExponent` is less than `b × 10^bExponent`, 0 when they are equal. */
export function compareScaled(a: bigint, aExponent: number, b: bigint, bExponent: number): number {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign < signOf(b) ? -1 : 1;
  if (sign === 0) return 0;
  if (aExponent === bExponent) return a < b ? -1 : a > b ? 1 : 0;
  // If the exponents are far apart, the position of the first digit decides, without building numbers of that many digits.
  const magnitude = digitsOf(a) + aExponent - (digitsOf(b) + bExponent);
  if (magnitude !== 0) return magnitude > 0 === sign > 0 ? 1 : -1;
  const exponent = Math.min(aExponent, bExponent);
  const left = a * powerOfTen(aExponent - exponent);
  const right = b * powerOfTen(bExponent - exponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function signOf(value: bigint): -1 | 0 | 1 {
  return value === 0n ? 0 : value < 0n ? -1 : 1;
}

/** The number of decimal digits of a value other than 0. Printing a large value takes far longer. */
function digitsOf(value: bigint): number {
  const amount = abs(value);
  const bitsMin = 4 * (amount.toString(16).length - 1);
  let digits = Math.floor(bitsMin * Math.log10(2));
  while (amount >= powerOfTen(digits)) digits++;
  return digits;
}

const powersKept = 2048;
const powers: bigint[] = [];

/** Cached, because a large power takes microseconds to compute and the amounts in a body often share one. */
export function powerOfTen(exponent: number): bigint {
  if (exponent >= powersKept) return 10n ** BigInt(exponent);
  powers[exponent] ??= 10n ** BigInt(exponent);
  return powers[exponent];
}

/** `value / 10^digits`. */
export function divideAwayFromZero(value: bigint, digits: number): bigint {
  if (value === 0n) return 0n;
  // Everything below one unit becomes one; this also keeps the divisor small.
  if (digits > digitsOf(value)) return value < 0n ? -1n : 1n;
  const divisor = powerOfTen(digits);
  const quotient = value / divisor;
  if (quotient * divisor === value) return quotient;
  return quotient + (value < 0n ? -1n : 1n);
}

export function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
