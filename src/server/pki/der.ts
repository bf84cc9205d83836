/** The part of ASN.1 DER (ITU-T X.690) that certificates are written in. Each function returns a whole element. */

export function sequence(...elements: readonly Uint8Array[]): Buffer {
  return element(0x30, ...elements);
}

export function set(...elements: readonly Uint8Array[]): Buffer {
  return element(0x31, ...elements);
}

/** A context tag around whole elements. */
export function explicit(tag: number, ...elements: readonly Uint8Array[]): Buffer {
  return element(0xa0 | tag, ...elements);
}

/** A context tag in place of a primitive's own. */
export function implicit(tag: number, content: Uint8Array): Buffer {
  return element(0x80 | tag, content);
}

/** Big-endian, not negative. */
export function integer(magnitude: Uint8Array): Buffer {
  let start = 0;
  while (start < magnitude.length - 1 && magnitude[start] === 0) start++;
  const digits = magnitude.subarray(start);
  // The highest bit is the sign.
  const padding = (digits[0] ?? 0) >= 0x80 || digits.length === 0 ? Buffer.alloc(1) : Buffer.alloc(0);
  return element(0x02, padding, digits);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.of(value ? 0xff : 0));
}

export function octetString(content: Uint8Array): Buffer {
  return element(0x04, content);
}

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return element(0x03, Buffer.of(unusedBits), content);
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text, "utf8"));
}

/** `dotted` as in 2.5.4.3. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const septets = [arc & 0x7f];
    for (let high = arc >>> 7; high > 0; high >>>= 7) septets.unshift((high & 0x7f) | 0x80);
    bytes.push(...septets);
  }
  return element(0x06, Buffer.from(bytes));
}

/** Whole seconds; UTCTime before 2050 and GeneralizedTime from then on (RFC 5280 §4.1.2.5). */
export function time(epochMs: number): Buffer {
  const digits = new Date(epochMs)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:T]/g, "");
  return Number(digits.slice(0, 4)) < 2050
    ? element(0x17, Buffer.from(digits.slice(2), "latin1"))
    : element(0x18, Buffer.from(digits, "latin1"));
}

/** The elements inside a constructed element, each with its own tag and length. Throws `RangeError` when cut off. */
export function childrenOf(constructed: Uint8Array): readonly Uint8Array[] {
  const { start, end } = extentOf(constructed, 0);
  const children: Uint8Array[] = [];
  for (let at = start; at < end; ) {
    const next = extentOf(constructed, at).end;
    children.push(constructed.subarray(at, next));
    at = next;
  }
  return children;
}

function extentOf(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  let length = bytes[at + 1] ?? 0;
  let start = at + 2;
  if (length >= 0x80) {
    const count = length & 0x7f;
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start++] ?? 0);
  }
  const end = start + length;
  if (end > bytes.length) throw new RangeError("the DER element is cut off");
  return { start, end };
}

function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthBytes(content.length), content]);
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff);
  return Buffer.from([0x80 | digits.length, ...digits]);
}
