import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { Naming } from "../../naming/naming.js";

/** Keywords of OpenAPI 3 unknown to Swagger 2.0, or to clients that validate with it. */
const unknownWords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "not", "nullable", "default"]);

/**
 * A custom resource's schema in Swagger 2.0. What Swagger cannot express is left open: a client that validates with it must not refuse an
 * object that the server accepts.
 */
export function swaggerSchema(schema: JsonObject, naming: Naming): JsonObject {
  const { extensionPrefix } = naming;
  const isOpen =
    schema.nullable === true ||
    schema[`${extensionPrefix}preserve-unknown-fields`] === true ||
    schema[`${extensionPrefix}int-or-string`] === true;
  const out: Record<string, JsonValue> = {};
  for (const [word, value] of Object.entries(schema)) {
    if (unknownWords.has(word)) continue;
    if (isOpen && (word === "type" || word === "items" || word === "properties" || word === "required"))
      continue;
    if (!isJsonObject(value)) out[word] = value;
    else if (word === "items" || word === "additionalProperties") out[word] = swaggerSchema(value, naming);
    else out[word] = word === "properties" ? convertedMembers(value, naming) : value;
  }
  return out;
}

function convertedMembers(properties: JsonObject, naming: Naming): JsonObject {
  const members = Object.entries(properties).map(([name, property]): [string, JsonValue] => [
    name,
    isJsonObject(property) ? swaggerSchema(property, naming) : (property ?? null),
  ]);
  return Object.fromEntries(members);
}
