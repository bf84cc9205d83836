import { turnIfRoundIsOver } from "../../event-loop/turns.js";

/** Text is converted to bytes in pieces of this length: converting it all at the end would block the event loop. */
const textMax = 128 * 1024;

/** The bytes of a document that is generated in pieces. Yields to the event loop between pieces. */
export async function bytesOf(pieces: Iterable<string | Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    if (text.length >= textMax || (typeof piece !== "string" && text !== "")) {
      parts.push(Buffer.from(text));
      text = "";
    }
    if (typeof piece !== "string") parts.push(piece);
    const turn = turnIfRoundIsOver();
    if (turn !== undefined) await turn;
  }
  return Buffer.concat(text === "" ? parts : [...parts, Buffer.from(text)]);
}
