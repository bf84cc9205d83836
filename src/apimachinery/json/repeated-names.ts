import type { JsonValue } from "./json-value.js";
import { isJsonArray } from "./json-values.js";

/** White space between a name and its colon, or a name that ends in a backslash: names cannot be counted by `":` then. */
const unusualName = /"\s+:|\\\\":/;

/**
 * Whether an object in this text may have a name twice, which the engine's parser does not tell: the text is searched for ends of names, and
 * the value that it made for members. Never false for a text with a repeated name; true for a few without one.
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
