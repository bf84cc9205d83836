const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;
const newline = 0x0a;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Characters produced at a time. */
const pieceBytes = 64 * 1024;

/**
 * Indents compact JSON by two spaces, piece by piece: the same text as `printJson` with that indentation, without parsing. `margin` is
 * the depth at which the text is embedded.
 */
export function* indentedJson(json: Uint8Array, margin = 0): Iterable<Buffer> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let end = 0;
  let depth = margin;
  for (let at = 0; at < json.length; ) {
    const byte = json[at] ?? 0;
    // The output for one byte: the byte, and a line break with indentation.
    const needed = 2 + 2 * (depth + 1);
    if (end + needed > piece.length) {
      yield piece.subarray(0, end);
      piece = Buffer.allocUnsafe(Math.max(pieceBytes, needed));
      end = 0;
    }
    switch (byte) {
      case quote: {
        const stringEnd = afterString(json, at);
        if (end + stringEnd - at > piece.length) {
          yield piece.subarray(0, end);
          piece = Buffer.allocUnsafe(Math.max(pieceBytes, stringEnd - at));
          end = 0;
        }
        while (at < stringEnd) piece[end++] = json[at++] ?? 0;
        continue;
      }
      case openingBrace:
      case openingBracket: {
        piece[end++] = byte;
        at++;
        const next = json[at];
        if (next === closingBrace || next === closingBracket) {
          piece[end++] = next;
          at++;
        } else {
          depth++;
          end = beginLine(piece, end, depth);
        }
        continue;
      }
      case closingBrace:
      case closingBracket:
        depth--;
        end = beginLine(piece, end, depth);
        piece[end++] = byte;
        break;
      case comma:
        piece[end++] = byte;
        end = beginLine(piece, end, depth);
        break;
      case colon:
        piece[end++] = byte;
        piece[end++] = space;
        break;
      case newline:
        // After a whole document.
        break;
      default:
        piece[end++] = byte;
    }
    at++;
  }
  if (end > 0) yield piece.subarray(0, end);
}

function beginLine(piece: Buffer, at: number, depth: number): number {
  const end = at + 1 + 2 * depth;
  piece[at] = newline;
  piece.fill(space, at + 1, end);
  return end;
}

/** In a loop, because most strings are short: a search by the engine takes a fifth longer. */
function afterString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === backslash) at++;
    else if (json[at] === quote) return at + 1;
  }
  return json.length;
}
