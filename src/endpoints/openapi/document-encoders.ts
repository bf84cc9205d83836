import { printJsonByEngine, printJsonString } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { Turns } from "../../event-loop/turns.js";

/** How deep a document is taken apart: as far as the schemas in the components of OpenAPI 3. */
const levels = 3;
/** Members of a large map that are encoded as one message. */
const membersPerStep = 16;

/** Text is turned to bytes when it is this long: all of it at the end would take a long turn. */
const textMax = 128 * 1024;

/** JSON text. `print` writes a small part. */
export async function documentJson(
  document: JsonObject,
  turns: Turns,
  print: (value: JsonValue) => string = printJsonByEngine,
): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let text = "";
  const add = (part: string): void => {
    text += part;
    if (text.length < textMax) return;
    pieces.push(Buffer.from(text));
    text = "";
  };
  const write = async (value: JsonObject, depth: number): Promise<void> => {
    let separator = "{";
    for (const [name, member] of Object.entries(value)) {
      add(`${separator}${printJsonString(name)}:`);
      separator = ",";
      if (depth < levels && isJsonObject(member)) await write(member, depth + 1);
      else add(print(member));
      await turns.step();
    }
    add(separator === "{" ? "{}" : "}");
  };
  await write(document, 1);
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

/**
 * Protobuf, by `encode`. The members of large maps are encoded a few at a time: by the rules of protobuf, a message that comes in parts
 * is the whole of them.
 */
export async function documentProtobuf(
  document: JsonObject,
  encode: (part: JsonObject) => Uint8Array,
  turns: Turns,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const part of partsOf(document)) {
    parts.push(encode(part));
    await turns.step();
  }
  return Buffer.concat(parts);
}

function* partsOf(document: JsonObject): Iterable<JsonObject> {
  for (const [name, value] of Object.entries(document)) {
    if (!isJsonObject(value)) {
      yield { [name]: value };
    } else if (name === "components" && Object.values(value).some(isLarge)) {
      // A message of maps.
      for (const part of partsOf(value)) yield { [name]: part };
    } else {
      for (const slice of slicesOf(value)) yield { [name]: slice };
    }
  }
}

function isLarge(map: JsonValue): boolean {
  return isJsonObject(map) && Object.keys(map).length > membersPerStep;
}

function slicesOf(map: JsonObject): JsonObject[] {
  if (!isLarge(map)) return [map];
  const members = Object.entries(map);
  const slices: JsonObject[] = [];
  for (let start = 0; start < members.length; start += membersPerStep) {
    slices.push(Object.fromEntries(members.slice(start, start + membersPerStep)));
  }
  return slices;
}
