import { endOfPiece } from "./text-pieces.js";

/** What Go's `strconv.Quote` writes for signs that have a name. */
export const namedEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

/** Characters that Go's `strconv.Quote` escapes. */
const escaped = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Each character up to U+00FF as it is written. */
const latin1: readonly string[] = Array.from({ length: 256 }, (_, code) =>
  String.fromCharCode(code).replace(escaped, escapeOf),
);
const beyondLatin1 = /[\u0100-\uffff]/;
/** Replacing every character of a longer text by a function would take milliseconds. */
const replacedMax = 256;

/**
 * Text in quotes, as Kubernetes prints it in messages: control characters as `\x01`, other invisible ones as `\u00a0`.
 */
export function quoted(text: string): string {
  if (text.length <= replacedMax || beyondLatin1.test(text)) return `"${text.replace(escaped, escapeOf)}"`;
  const characters: string[] = [];
  for (let index = 0; index < text.length; index++) characters.push(latin1[text.charCodeAt(index)] ?? "");
  return `"${characters.join("")}"`;
}

/** Texts are quoted in pieces of this length until enough is there. */
const pieceLength = 1024;

/** As `quoted`, with an ellipsis in place of what is beyond about `max` characters, those of escapes included. */
export function quotedStart(text: string, max: number): string {
  if (text.length <= pieceLength) return quoted(text);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  while (from < text.length && length < max) {
    const piece = quoted(text.slice(from, endOfPiece(text, from + pieceLength))).slice(1, -1);
    pieces.push(piece);
    length += piece.length;
    from = endOfPiece(text, from + pieceLength);
  }
  return `"${pieces.join("")}${from < text.length ? "…" : ""}"`;
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (Object.hasOwn(namedEscapes, character)) return namedEscapes[character] ?? "";
  if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, "0")}`;
  // A lone surrogate is not a character.
  if (code >= 0xd800 && code < 0xe000) return "\ufffd";
  return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
