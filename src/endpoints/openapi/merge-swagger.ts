import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import { bytesOf } from "./document-bytes.js";
import { encodeDocumentV2 } from "./protobuf-v2.js";
import { type PrintedPart, type SwaggerPart, separated } from "./swagger-part.js";

/** One Swagger document as JSON. If several parts have a definition or a parameter, the first one's is used. */
export async function mergedJson(frame: JsonObject, parts: readonly SwaggerPart[]): Promise<Uint8Array> {
  const { swagger, info, ...rest } = frame;
  const printed: PrintedPart[] = [];
  for (const part of parts) {
    printed.push(await part.json());
    await turnIfRoundIsOver();
  }
  const head = `{"swagger":${printJson(swagger ?? "2.0")},"info":${printJson(info ?? {}, { htmlEscape: false })}`;
  const tail = printJson(rest, { htmlEscape: false }).slice(1);
  // Names of paths begin with their section's name and a slash.
  const paths = printed.flatMap((part) =>
    [...part.paths].map(([section, bytes]) => [`${section}/`, bytes] as const),
  );
  await turnIfRoundIsOver();
  const ofPaths = sortedMembers(new Map(paths));
  await turnIfRoundIsOver();
  const definitions = firstOfEach(printed.map((part) => part.definitions));
  await turnIfRoundIsOver();
  const ofDefinitions = sortedMembers(definitions);
  await turnIfRoundIsOver();
  const ofParameters = sortedMembers(firstOfEach(printed.map((part) => part.parameters)));
  const shared = ofParameters.length === 0 ? [] : [`"parameters":{`, ...ofParameters, "},"];
  return await bytesOf([
    `${head},"paths":{`,
    ...ofPaths,
    `},"definitions":{`,
    ...ofDefinitions,
    "},",
    ...shared,
    tail,
  ]);
}

/** Like `mergedJson`, in protobuf, where concatenating fragments merges them. */
export async function mergedProtobuf(frame: JsonObject, parts: readonly SwaggerPart[]): Promise<Uint8Array> {
  const pieces = [await encodeDocumentV2(frame)];
  for (const part of parts) {
    pieces.push(await part.protobuf());
    await turnIfRoundIsOver();
  }
  return await bytesOf(pieces);
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
