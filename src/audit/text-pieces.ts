/** Text in pieces, of which those that are bytes already are UTF-8. Others may hold them too: they must not change. */
export type TextPieces = readonly (string | Uint8Array)[];

/** All pieces as one. What is text is turned into bytes in as few steps as there can be. */
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
