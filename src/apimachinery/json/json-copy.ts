import { put } from "../collections/put.js";
import { parseJson } from "./json-parse.js";
import { unparsedText } from "./json-print.js";
import { isJsonObject, type JsonValue } from "./json-value.js";

/** Copies as printing and parsing would: without undefined members, and with the members that were kept as text. */
export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => copyJson(item));
  const copy: { [name: string]: JsonValue } = {};
  if (!isJsonObject(value)) return value;
  let isEmpty = true;
  for (const name in value) {
    const member = value[name];
    if (member === undefined) continue;
    isEmpty = false;
    put(copy, name, copyJson(member));
  }
  const text = isEmpty ? unparsedText(value) : undefined;
  return text === undefined ? copy : parseJson(text);
}
