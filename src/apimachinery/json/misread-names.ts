import type { JsonValue } from "./json-value.js";
import { isJsonArray } from "./json-values.js";

/**
 * The V8 of Node.js 24 and 26 may take a name with an escape for a name with a backslash that an object read before has at this place:
 * https://github.com/nodejs/node/issues/63785.
 */
const misreadsNames = ((): boolean => {
  const before = String.raw`{"first name":1,"\\na":2}`;
  const escaped = String.raw`{"first name":1,"\nab":2}`;
  JSON.parse(before);
  return !Object.hasOwn(JSON.parse(escaped), "\nab");
})();

/** Whether the engine's parser may have misread a name of this text. The value must not be nested deeply. */
export function mayMisreadNames(text: string, value: JsonValue): boolean {
  return misreadsNames && text.includes("\\") && hasBackslashInName(value);
}

function hasBackslashInName(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isJsonArray(value)) return value.some(hasBackslashInName);
  for (const name in value) {
    if (name.includes("\\") || hasBackslashInName(value[name] ?? null)) return true;
  }
  return false;
}
