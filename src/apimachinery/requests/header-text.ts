const beyondAscii = /[\u0080-\uffff]/;

/** The text of a header's value. HTTP parsers give one character per byte, while clients name users in UTF-8. */
export function fromHeader(value: string): string {
  return beyondAscii.test(value) ? Buffer.from(value, "latin1").toString("utf8") : value;
}

/** A text as the value of a header: its bytes in UTF-8, one character each. */
export function toHeader(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}
