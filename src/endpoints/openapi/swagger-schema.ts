import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json-value.js";
import { Pace, type Steps } from "../../apimachinery/steps.js";
import type { Naming } from "../../naming/naming.js";

/** Keywords of OpenAPI 3 unknown to Swagger 2.0, or to clients that validate with it. */
const unknownWords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "not", "nullable", "default"]);

/**
 * A custom resource's schema in Swagger 2.0, in steps. What Swagger cannot express is left open: a client that validates with it must not
 * refuse an object that the server accepts.
 */
export function swaggerSchemaSteps(schema: JsonObject, naming: Naming): Steps<JsonObject> {
  return convertedSchema(schema, naming, new Pace());
}

/** What one schema takes, compared with a value. */
const valuesPerSchema = 2;

function* convertedSchema(schema: JsonObject, naming: Naming, pace: Pace): Steps<JsonObject> {
  if (pace.isOver(valuesPerSchema)) yield;
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
    else if (word === "items" || word === "additionalProperties")
      out[word] = yield* convertedSchema(value, naming, pace);
    else out[word] = word === "properties" ? yield* convertedMembers(value, naming, pace) : value;
  }
  return out;
}

function* convertedMembers(properties: JsonObject, naming: Naming, pace: Pace): Steps<JsonObject> {
  const members: [string, JsonValue][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const isSchema = isJsonObject(property);
    members.push([name, isSchema ? yield* convertedSchema(property, naming, pace) : (property ?? null)]);
  }
  return Object.fromEntries(members);
}
