import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual, ownField } from "../json/json-values.js";
import type { StructuralSchema } from "./structural-schema.js";

/**
 * Whether an update leaves a value as it was, so that it may stay invalid. The items of associative lists may have moved. Source:
 * KEP-4008.
 */
export function isUnchanged(value: JsonValue, old: JsonValue, schema: StructuralSchema): boolean {
  if (!schema.hasKeyedLists) return jsonEqual(value, old);
  if (isJsonObject(value)) return isJsonObject(old) && haveUnchangedMembers(value, old, schema);
  const before = itemsByKey(schema, old);
  return before !== undefined && isJsonArray(value) && isJsonArray(old)
    ? value.length === old.length && haveOnlyMoved(value, before, schema)
    : jsonEqual(value, old);
}

/** The items of an associative list by their keys; undefined for other lists, whose items have no identity. */
export function itemsByKey(
  { listType, listMapKeys, items }: StructuralSchema,
  list: JsonValue | undefined,
): ItemsByKey | undefined {
  if (listType !== "map" || !isJsonArray(list)) return undefined;
  const keyOf = (item: JsonValue): string =>
    isJsonObject(item)
      ? JSON.stringify(listMapKeys.map((key) => String(item[key] ?? items?.properties.get(key)?.default)))
      : "";
  const byKey = new Map(list.map((item) => [keyOf(item), item]));
  return { sameAs: (item) => byKey.get(keyOf(item)) };
}

export interface ItemsByKey {
  /** The item with the keys of another one. */
  sameAs(item: JsonValue): JsonValue | undefined;
}

function haveOnlyMoved(list: readonly JsonValue[], before: ItemsByKey, { items }: StructuralSchema): boolean {
  return list.every((item) => {
    const former = before.sameAs(item);
    return former !== undefined && items !== undefined && isUnchanged(item, former, items);
  });
}

function haveUnchangedMembers(
  object: JsonObject,
  old: JsonObject,
  { properties, additional }: StructuralSchema,
): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of names) {
    const [member, former] = [ownField(object, name), ownField(old, name)];
    if (member === former) continue;
    if (member === undefined || former === undefined) return false;
    const schema = properties.get(name) ?? (typeof additional === "object" ? additional : undefined);
    const same = schema === undefined ? jsonEqual(member, former) : isUnchanged(member, former, schema);
    if (!same) return false;
  }
  return true;
}
