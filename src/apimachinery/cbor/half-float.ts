/** A float in two bytes (IEEE 754): one sign bit, five bits of exponent, ten of fraction. */
const fractionBits = 10;
const bias = 15;

const asFloat = new Float32Array(1);
const asBits = new Uint32Array(asFloat.buffer);

/** The two bytes of a finite number as a half float; undefined when it has no such form. */
export function halfBits(value: number): number | undefined {
  asFloat[0] = value;
  if (asFloat[0] !== value) return undefined;
  const bits = asBits[0] ?? 0;
  const sign = (bits >>> 31) << 15;
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const fraction = bits & 0x7f_ffff;
  if (value === 0) return sign;
  if (exponent > bias || exponent < -bias - fractionBits + 1) return undefined;
  if (exponent > -bias) {
    const dropped = 23 - fractionBits;
    if ((fraction & ((1 << dropped) - 1)) !== 0) return undefined;
    return sign | ((exponent + bias) << fractionBits) | (fraction >>> dropped);
  }
  // Below the least exponent, the fraction has leading zeros instead of an implied one.
  const significand = 0x80_0000 | fraction;
  const dropped = 23 - fractionBits - (exponent + bias - 1);
  if ((significand & (2 ** dropped - 1)) !== 0) return undefined;
  return sign | (significand >>> dropped);
}

/** NaN and infinite values included. */
export function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> fractionBits) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias - fractionBits);
  return sign * (1 + fraction / 2 ** fractionBits) * 2 ** (exponent - bias);
}
