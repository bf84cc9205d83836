const integer = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|([1-9]\d*|0))$/;
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/** Whether a plain scalar is written as an integer, in any base. */
export function isIntegerText(text: string): boolean {
  return integer.test(text.replaceAll("_", ""));
}

/**
 * The number that Go's reader sees in a plain scalar of YAML (`strconv` in any base, without underscores): a bigint beyond ±(2^53-1);
 * undefined for text.
 */
export function plainNumber(text: string): number | bigint | undefined {
  // Most scalars are words.
  if (!/^[-+]?\.?\d/.test(text)) return undefined;
  const plain = text.replaceAll("_", "");
  const found = integer.exec(plain);
  if (found !== null) {
    const [, sign, hexadecimal, octal, binary, digits = ""] = found;
    const literal = hexadecimal ? `0x${hexadecimal}` : octal ? `0o${octal}` : binary ? `0b${binary}` : digits;
    const magnitude = BigInt(literal);
    const value = sign === "-" ? -magnitude : magnitude;
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    // In other bases, numbers beyond 64 bits are text.
    return digits !== "" || (value >= -(2n ** 63n) && value < 2n ** 64n) ? value : undefined;
  }
  const number = decimal.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
