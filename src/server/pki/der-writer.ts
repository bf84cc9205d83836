/** Identifier octets (X.690) of what certificates consist of. */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** UTCTime has two digits for the year: it ends with 2049 (RFC 5280, 4.1.2.5). */
const endOfUtcTime = Date.UTC(2050, 0, 1);

/** One element of a DER encoding: tag, length, content. */
export function derElement(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(length)]), ...content]);
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return [0x80 | octets.length, ...octets];
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => derElement(tags.sequence, ...content);
export const set = (...content: readonly Uint8Array[]): Buffer => derElement(tags.set, ...content);
/** `[number] EXPLICIT` */
export const explicit = (number: number, content: Uint8Array): Buffer => derElement(0xa0 | number, content);
/** `[number] IMPLICIT`, of a type without parts. */
export const implicit = (number: number, content: Uint8Array): Buffer => derElement(0x80 | number, content);
export const octetString = (content: Uint8Array): Buffer => derElement(tags.octetString, content);
export const utf8String = (text: string): Buffer => derElement(tags.utf8String, Buffer.from(text));
export const derNull = derElement(tags.null);
export const derTrue = derElement(tags.boolean, Buffer.from([0xff]));

/** Big-endian in two's complement, without needless octets at its start. */
export const integer = (octets: Uint8Array): Buffer => derElement(tags.integer, octets);

/** Of whole octets. */
export const bitString = (octets: Uint8Array): Buffer => derElement(tags.bitString, Buffer.from([0]), octets);

/** A set of flags, of which bit 0 is the highest bit of `flags`: what follows the last one is left out. */
export function namedBits(flags: number): Buffer {
  if (flags === 0) return derElement(tags.bitString, Buffer.from([0]));
  const unused = 31 - Math.clz32(flags & -flags);
  return derElement(tags.bitString, Buffer.from([unused, flags]));
}

/** From dotted decimal. */
export function objectId(dotted: string): Buffer {
  const [root = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return derElement(tags.objectId, Buffer.from([root * 40 + second, ...others].flatMap(base128)));
}

function base128(number: number): number[] {
  const octets = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    octets.unshift(0x80 | (rest % 128));
  }
  return octets;
}

/** Milliseconds since the epoch; seconds count. */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/\D/g, "")}Z`;
  return ms < endOfUtcTime
    ? derElement(tags.utcTime, Buffer.from(digits.slice(2)))
    : derElement(tags.generalizedTime, Buffer.from(digits));
}
