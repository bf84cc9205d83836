import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Naming } from "../../naming/naming.js";

/** Keywords of OpenAPI 3 unknown to Swagger 2.0, or to clients that validate with it. */
const unknownWords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "not", "nullable", "default"]);

/**
 * A custom resource's schema in Swagger 2.0. What Swagger cannot express is left open: a client that validates with it must not refuse an
 * object that the server accepts. Other work runs meanwhile.
 */
export async function swaggerSchema(schema: JsonObject, { extensionPrefix }: Naming): Promise<JsonObject> {
  const swagger: MutableObject = {};
  const conversions: Conversion[] = [{ from: schema, to: swagger }];
  // Grows while it is read.
  for (const conversion of conversions) {
    convert(conversion, extensionPrefix, conversions);
    const turn = turnIfRoundIsOver();
    if (turn !== undefined) await turn;
  }
  return swagger;
}

type MutableObject = Record<string, JsonValue>;

interface Conversion {
  readonly from: JsonObject;
  readonly to: MutableObject;
}

/** Leaves the schemas within for later. */
function convert({ from, to }: Conversion, extensionPrefix: string, later: Conversion[]): void {
  const isOpen =
    from.nullable === true ||
    from[`${extensionPrefix}preserve-unknown-fields`] === true ||
    from[`${extensionPrefix}int-or-string`] === true;
  const convertLater = (schema: JsonObject): JsonObject => {
    const swagger: MutableObject = {};
    later.push({ from: schema, to: swagger });
    return swagger;
  };
  for (const [word, value] of Object.entries(from)) {
    if (unknownWords.has(word)) continue;
    if (isOpen && (word === "type" || word === "items" || word === "properties" || word === "required"))
      continue;
    if (!isJsonObject(value)) to[word] = value;
    else if (word === "items" || word === "additionalProperties") to[word] = convertLater(value);
    else if (word !== "properties") to[word] = value;
    else {
      const members = Object.entries(value).map(([name, property]): [string, JsonValue] => [
        name,
        isJsonObject(property) ? convertLater(property) : (property ?? null),
      ]);
      to[word] = Object.fromEntries(members);
    }
  }
}
