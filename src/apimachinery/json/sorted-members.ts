import { isJsonObject, type JsonValue } from "./json-value.js";
import { isJsonArray } from "./json-values.js";

/** The value with the members of its objects in the order of their names, as Go prints maps. */
export function sortedMembers(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, each]): [string, JsonValue] => [
    name,
    sortedMembers(each),
  ]);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
