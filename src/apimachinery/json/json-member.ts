/**
 * The text of one member of a JSON object, found without parsing the others. `body` is the object's compact text without its opening
 * brace, as objects are kept. Undefined when the member is missing.
 */
export function memberOf(body: Buffer, name: string): Buffer | undefined {
  let at = 0;
  while (body[at] === quote) {
    const keyEnd = afterString(body, at);
    const valueStart = keyEnd + 1;
    const valueEnd = afterValue(body, valueStart);
    if (isKey(body, at + 1, keyEnd - 1, name)) return body.subarray(valueStart, valueEnd);
    at = body[valueEnd] === comma ? valueEnd + 1 : valueEnd;
  }
  return undefined;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** `name` must be ASCII without characters that JSON escapes. */
function isKey(body: Buffer, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (body[start + i] !== name.charCodeAt(i)) return false;
  return true;
}

/** The position after the string that opens at `at`. */
export function afterString(body: Buffer, at: number): number {
  for (let end = body.indexOf(quote, at + 1); end >= 0; end = body.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return body.length;
}

/** The position after the value that begins at `from`. */
export function afterValue(body: Buffer, from: number): number {
  const first = body[from];
  if (first === quote) return afterString(body, from);
  if (first === openingBrace || first === openingBracket) return afterContainer(body, from);
  let at = from;
  while (at < body.length && !endsScalar(body[at])) at++;
  return at;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closingBrace || byte === closingBracket;
}

function afterContainer(body: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < body.length; ) {
    const byte = body[at];
    if (byte === quote) {
      at = afterString(body, at);
      continue;
    }
    at++;
    if (byte === openingBrace || byte === openingBracket) depth++;
    else if (byte === closingBrace || byte === closingBracket) depth--;
    if (depth === 0) return at;
  }
  return body.length;
}
