/** Text in pieces; bytes are UTF-8. They are shared and must not change. */
export type TextPieces = readonly (string | Uint8Array)[];

/** Joins all pieces. Consecutive texts are encoded together. */
export function concatPieces(pieces: TextPieces): Buffer {
  const parts: Uint8Array[] = [];
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    if (text !== "") parts.push(Buffer.from(text));
    text = "";
    parts.push(piece);
  }
  if (parts.length === 0) return Buffer.from(text);
  if (text !== "") parts.push(Buffer.from(text));
  return Buffer.concat(parts);
}
