import { printJson, printJsonString } from "../../apimachinery/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json-value.js";
import { Turns } from "./turns.js";

/** Members of the large maps of a document that are written between two pauses. */
const membersPerTurn = 32;

/** JSON text, as `printJson` would write it in one go. */
export async function documentJson(document: JsonObject): Promise<Uint8Array> {
  const turns = new Turns(membersPerTurn);
  const pieces: string[] = ["{"];
  for (const [name, value] of Object.entries(document)) {
    if (pieces.length > 1) pieces.push(",");
    pieces.push(printJsonString(name), ":");
    if (!isLarge(value)) {
      pieces.push(print(value));
      continue;
    }
    let separator = "{";
    for (const [key, member] of Object.entries(value)) {
      pieces.push(separator, printJsonString(key), ":", print(member));
      separator = ",";
      await turns.step();
    }
    pieces.push("}");
  }
  return Buffer.from(`${pieces.join("")}}`);
}

/**
 * Protobuf, by `encode`. The members of the large maps are encoded a few at a time: a message that comes in parts is
 * the whole of them by the rules of protobuf.
 */
export async function documentProtobuf(
  document: JsonObject,
  encode: (part: JsonObject) => Uint8Array,
): Promise<Uint8Array> {
  const turns = new Turns(1);
  const parts: Uint8Array[] = [];
  for (const [name, value] of Object.entries(document)) {
    if (!isLarge(value)) {
      parts.push(encode({ [name]: value }));
      continue;
    }
    const members = Object.entries(value);
    for (let start = 0; start < members.length; start += membersPerTurn) {
      const slice = Object.fromEntries(members.slice(start, start + membersPerTurn));
      parts.push(encode({ [name]: slice }));
      await turns.step();
    }
  }
  return Buffer.concat(parts);
}

function isLarge(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length > membersPerTurn;
}

function print(value: JsonValue): string {
  return printJson(value, { htmlEscape: false });
}
