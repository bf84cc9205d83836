import type { JsonValue } from "./json-value.js";
import { isJsonArray } from "./json-values.js";

/** White space between a name and its colon, or a name that ends in a backslash: then `":` does not count the names. */
const unusualName = /"\s+:|\\\\":/;

/**
 * Whether an object in this text may repeat a name: the engine's parser does not report that, but its value has fewer members then than
 * the text has names. Never false for a text with a repeated name; true for a few without one.
 */
export function mayRepeatNames(text: string, value: JsonValue): boolean {
  return unusualName.test(text) || endsOfNames(text) !== memberCount(value);
}

/** How often `":` occurs, except in strings, where a backslash precedes it. Strings that begin with a colon count. */
function endsOfNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) {
    if (text[at - 1] !== "\\") count++;
  }
  return count;
}

/** Members of all objects within the value, which must not be nested deeply. */
function memberCount(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (isJsonArray(value)) {
    for (const item of value) count += memberCount(item);
    return count;
  }
  for (const name in value) count += 1 + memberCount(value[name] ?? null);
  return count;
}
