import { printJsonByEngine, printJsonString } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";

/** How deep a document is split: down to the schemas in the components of OpenAPI 3. */
const levels = 3;

/** JSON text in pieces. `print` writes a small part. */
export function* documentJson(
  document: JsonObject,
  print: (value: JsonValue) => string = printJsonByEngine,
  depth = 1,
): Iterable<string> {
  let separator = "{";
  for (const [name, member] of Object.entries(document)) {
    const key = `${separator}${printJsonString(name)}:`;
    separator = ",";
    if (depth < levels && isJsonObject(member)) {
      yield key;
      yield* documentJson(member, print, depth + 1);
    } else {
      yield key + print(member);
    }
  }
  yield separator === "{" ? "{}" : "}";
}
