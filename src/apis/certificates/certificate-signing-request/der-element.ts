/** An element of ASN.1 DER (ITU-T X.690). Tags are one byte long, as everywhere in PKCS #10. */
export interface DerElement {
  readonly tag: number;
  /** Tag, length and content. */
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
}

/** The elements in `bytes`. Throws `RangeError` when the last one is truncated. */
export function derElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    elements.push(element);
    at += element.bytes.length;
  }
  return elements;
}

function elementAt(bytes: Uint8Array, at: number): DerElement {
  let length = bytes[at + 1] ?? 0;
  let start = at + 2;
  if (length >= 0x80) {
    const lengthBytes = length & 0x7f;
    if (lengthBytes === 0 || lengthBytes > 4)
      throw new RangeError("the length of a DER element is not definite");
    length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[start++] ?? 0);
  }
  const end = start + length;
  if (end > bytes.length) throw new RangeError("the DER element is cut off");
  return { tag: bytes[at] ?? 0, bytes: bytes.subarray(at, end), content: bytes.subarray(start, end) };
}
