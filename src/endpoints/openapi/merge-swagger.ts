import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Turns } from "../../event-loop/turns.js";
import { documentProtobuf } from "./document-encoders.js";
import { encodeDocumentV2 } from "./protobuf-v2.js";
import { type PrintedPart, type SwaggerPart, separated } from "./swagger-part.js";

/** One Swagger document as JSON; of definitions with the same name the first part's stays. */
export async function mergedJson(
  frame: JsonObject,
  parts: readonly SwaggerPart[],
  turns: Turns,
): Promise<Uint8Array> {
  const { swagger, info, ...rest } = frame;
  const printed: PrintedPart[] = [];
  for (const part of parts) {
    printed.push(await part.json());
    await turns.step();
  }
  const head = `{"swagger":${printJson(swagger ?? "2.0")},"info":${printJson(info ?? {}, { htmlEscape: false })}`;
  const tail = printJson(rest, { htmlEscape: false }).slice(1);
  // The names of paths go on with a slash after that of their section.
  const paths = printed.flatMap((part) =>
    [...part.paths].map(([section, bytes]) => [`${section}/`, bytes] as const),
  );
  await turns.step();
  const ofPaths = sortedMembers(new Map(paths));
  await turns.step();
  const definitions = firstOfEach(printed.map((part) => part.definitions));
  await turns.step();
  const ofDefinitions = sortedMembers(definitions);
  await turns.step();
  return await joined(
    [
      Buffer.from(`${head},"paths":{`),
      ...ofPaths,
      Buffer.from(`},"definitions":{`),
      ...ofDefinitions,
      Buffer.from(`},${tail}`),
    ],
    turns,
  );
}

/** The same in protobuf, where a message may come in parts. */
export async function mergedProtobuf(
  frame: JsonObject,
  parts: readonly SwaggerPart[],
  turns: Turns,
): Promise<Uint8Array> {
  const pieces = [await documentProtobuf(frame, encodeDocumentV2, turns)];
  for (const part of parts) {
    pieces.push(await part.protobuf());
    await turns.step();
  }
  return await joined(pieces, turns);
}

function firstOfEach(parts: readonly ReadonlyMap<string, Uint8Array>[]): ReadonlyMap<string, Uint8Array> {
  const all = new Map<string, Uint8Array>();
  for (const members of parts) {
    for (const [name, bytes] of members) if (!all.has(name)) all.set(name, bytes);
  }
  return all;
}

function sortedMembers(members: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  return separated([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function joined(pieces: readonly Uint8Array[], turns: Turns): Promise<Uint8Array> {
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
