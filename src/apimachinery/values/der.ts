const sequenceTag = 0x30;

/** One element of a DER encoding (X.690). */
export interface DerElement {
  /** The identifier octet: class, constructed bit and number. */
  readonly tag: number;
  /** Tag, length and content. */
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
}

/**
 * The consecutive elements in `bytes`. Throws an `Error` for anything but DER: indefinite lengths, tag numbers over 30, lengths beyond
 * the end.
 */
export function derElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    if ((tag & 0x1f) === 0x1f) throw new Error("DER: tag number over 30");
    const { length, start } = lengthAt(bytes, at + 1);
    const end = start + length;
    if (end > bytes.length) throw new Error("DER: element is longer than its container");
    elements.push({ tag, bytes: bytes.subarray(at, end), content: bytes.subarray(start, end) });
    at = end;
  }
  return elements;
}

/** The elements of a sequence. Throws an `Error` for any other element, or none. */
export function derSequence(element: DerElement | undefined): DerElement[] {
  if (element?.tag !== sequenceTag) throw new Error("DER: a sequence is missing");
  return derElements(element.content);
}

/** Dotted decimal. */
export function derObjectId(content: Uint8Array): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (value > Number.MAX_SAFE_INTEGER) throw new Error("DER: object identifier is too long");
    if ((byte & 0x80) !== 0) continue;
    numbers.push(value);
    value = 0;
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join(".");
}

function lengthAt(bytes: Uint8Array, at: number): { readonly length: number; readonly start: number } {
  const first = bytes[at];
  if (first === undefined) throw new Error("DER: element without a length");
  if (first < 0x80) return { length: first, start: at + 1 };
  const size = first & 0x7f;
  if (size === 0 || size > 4 || at + size >= bytes.length) throw new Error("DER: length is not definite");
  let length = 0;
  for (let i = 1; i <= size; i++) length = length * 256 + (bytes[at + i] ?? 0);
  return { length, start: at + 1 + size };
}
