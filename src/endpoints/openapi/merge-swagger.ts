import { setImmediate } from "node:timers/promises";
import { printJson } from "../../apimachinery/json-print.js";
import type { JsonObject } from "../../apimachinery/json-value.js";
import { documentProtobuf } from "./document-encoders.js";
import { encodeDocumentV2 } from "./protobuf-v2.js";
import type { PrintedMembers, PrintedPart, SwaggerPart } from "./swagger-part.js";
import { Turns } from "./turns.js";

const piecesPerTurn = 512;
const comma = Buffer.from(",");

/** One Swagger document as JSON; of members with the same name the first part's stays. */
export async function mergedJson(frame: JsonObject, parts: readonly SwaggerPart[]): Promise<Uint8Array> {
  const { swagger, info, ...rest } = frame;
  const printed: PrintedPart[] = [];
  for (const part of parts) {
    printed.push(await part.json());
    await setImmediate(); // a small part takes no turn of its own
  }
  const head = `{"swagger":${printJson(swagger ?? "2.0")},"info":${printJson(info ?? {}, { htmlEscape: false })}`;
  const tail = printJson(rest, { htmlEscape: false }).slice(1);
  return await joined([
    Buffer.from(`${head},"paths":{`),
    ...sortedMembers(printed.map(({ paths }) => paths)),
    Buffer.from(`},"definitions":{`),
    ...sortedMembers(printed.map(({ definitions }) => definitions)),
    Buffer.from(`},${tail}`),
  ]);
}

/** The same in protobuf, where a message may come in pieces. */
export async function mergedProtobuf(frame: JsonObject, parts: readonly SwaggerPart[]): Promise<Uint8Array> {
  const pieces = [await documentProtobuf(frame, encodeDocumentV2)];
  for (const part of parts) {
    pieces.push(await part.protobuf());
    await setImmediate();
  }
  return await joined(pieces);
}

function sortedMembers(parts: readonly PrintedMembers[]): Uint8Array[] {
  const all = new Map<string, Uint8Array>();
  for (const members of parts) {
    for (const [name, bytes] of members) if (!all.has(name)) all.set(name, bytes);
  }
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([, bytes], index) => (index === 0 ? [bytes] : [comma, bytes]));
}

async function joined(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  const turns = new Turns(piecesPerTurn);
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
    await turns.step();
  }
  return bytes;
}
