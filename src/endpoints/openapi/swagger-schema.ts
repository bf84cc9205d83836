import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json-value.js";
import type { Naming } from "../../naming/naming.js";

/** Words of OpenAPI 3 that Swagger 2.0, or the clients that check objects with it, do not know. */
const unknownWords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "not", "nullable", "default"]);

/**
 * A custom resource's schema in Swagger 2.0. What this cannot say is left open, never guessed: a client that checks an
 * object with it must not refuse what the server takes.
 */
export function toSwaggerSchema(schema: JsonObject, naming: Naming): JsonObject {
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
    out[word] = converted(word, value, naming);
  }
  return out;
}

function converted(word: string, value: JsonValue, naming: Naming): JsonValue {
  if (!isJsonObject(value)) return value;
  if (word === "items" || word === "additionalProperties") return toSwaggerSchema(value, naming);
  if (word !== "properties") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [
      name,
      isJsonObject(property) ? toSwaggerSchema(property, naming) : property,
    ]),
  );
}
