import { addToList } from "../collections/groups.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { ownField } from "../json/json-values.js";
import type { ListType } from "../schema/merge-type.js";
import { keyElement, type PathElement, valueElement } from "./path-element.js";

/** The path element that names an item of an associative list. Throws an `Error` when the item has no valid key. */
export function itemElement(item: JsonValue | undefined, type: ListType): PathElement {
  return type.relation === "map" ? keyedItemElement(item, type) : setItemElement(item);
}

function keyedItemElement(item: JsonValue | undefined, type: ListType): PathElement {
  if (item === null || item === undefined) {
    throw new Error("associative list with keys may not have a null element");
  }
  if (!isJsonObject(item)) throw new Error("associative list with keys may not have non-map elements");
  const fields: [string, JsonValue][] = [];
  for (const key of type.keys) {
    const value = keyField(item, key, type);
    if (value !== undefined) fields.push([key, value]);
    else if (!type.mayOmitKeys) {
      throw new Error(
        `associative list with keys has an element that omits key field ${JSON.stringify(key)} (and doesn't have default value)`,
      );
    }
  }
  if (fields.length === 0) {
    const keys = type.keys.map((key) => JSON.stringify(key)).join(" ");
    throw new Error(
      `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

function setItemElement(item: JsonValue | undefined): PathElement {
  if (item === null || item === undefined) {
    throw new Error("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) throw new Error("not supported: associative list with lists as elements");
  if (isJsonObject(item)) throw new Error("associative list without keys has an element that's a map type");
  return valueElement(item);
}

/** Whether two items have the same keys, without serializing them. */
export function haveSameKeys(a: JsonValue | undefined, b: JsonValue | undefined, type: ListType): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  let isNamed = false;
  for (const key of type.keys) {
    const value = keyField(a, key, type);
    if (typeof value === "object" || value !== keyField(b, key, type)) return false;
    if (value !== undefined) isNamed = true;
    else if (!type.mayOmitKeys) return false;
  }
  return isNamed;
}

function keyField(
  item: { readonly [key: string]: JsonValue },
  key: string,
  type: ListType,
): JsonValue | undefined {
  const value = ownField(item, key);
  if (value !== undefined || type.element.kind !== "struct") return value;
  return type.element.field(key)?.default;
}

/** Items by name, in order of first appearance; duplicates keep their order. */
export function groupItems(items: readonly JsonValue[], type: ListType): Map<PathElement, JsonValue[]> {
  const groups = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(item, type);
    addToList(groups, element, item);
  }
  return groups;
}
