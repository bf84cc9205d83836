import { turnIfRoundIsOver } from "../../event-loop/turns.js";

/** Text becomes bytes whenever it is this long: converting all of it at the end would hold the event loop. */
const textMax = 128 * 1024;

/** The bytes of a document that is made piece by piece. Other work runs between two pieces. */
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
