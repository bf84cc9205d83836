import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray, ownField } from "../patch/json-values.js";
import { itemsByElement } from "./list-items.js";
import { deducedType, type ListType, type MapType, type MergeType, type StructType } from "./merge-type.js";

/**
 * The live object with what is applied laid over it: nothing is removed, leaves are the applied ones, items
 * keep the live order and new ones follow. Both values have passed `checkTyped`. The result may share parts
 * with both.
 */
export function mergeTyped(live: JsonObject, applied: JsonObject, type: MergeType): JsonObject {
  const merged = merge(live, applied, type);
  return isJsonObject(merged) ? merged : live;
}

function merge(live: JsonValue | undefined, applied: JsonValue, type: MergeType): JsonValue {
  if (live === undefined) return applied;
  switch (type.kind) {
    case "scalar":
      return applied;
    case "list":
      return type.relation === "atomic" ? applied : mergeLists(live, applied, type);
    case "map":
    case "struct":
      return type.atomic ? applied : mergeObjects(live, applied, type);
    case "deduced":
      return isJsonObject(live) && (isJsonObject(applied) || applied === null)
        ? mergeObjects(live, applied, { kind: "map", atomic: false, element: deducedType })
        : applied;
  }
}

function mergeObjects(live: JsonValue, applied: JsonValue, type: StructType | MapType): JsonValue {
  if (!isJsonObject(live)) return applied;
  // Null says as little about an object's fields as `{}` does.
  if (!isJsonObject(applied)) return Object.keys(live).length === 0 ? applied : live;
  const result = new Map(Object.entries(live));
  for (const [name, value] of Object.entries(applied)) {
    if (value === undefined) continue;
    const fieldType =
      type.kind === "map" ? type.element : (type.field(name)?.type ?? type.others ?? deducedType);
    result.set(name, merge(ownField(live, name), value, fieldType));
  }
  return Object.fromEntries(result);
}

function mergeLists(live: JsonValue, applied: JsonValue, type: ListType): JsonValue {
  if (!isJsonArray(live) || live.length === 0) return applied;
  if (!isJsonArray(applied) || applied.length === 0) return live;
  const appliedItems = itemsByElement(applied, type, () => {});
  const result: JsonValue[] = [];
  for (const [element, item] of itemsByElement(live, type, () => {})) {
    const theirs = appliedItems.get(element);
    result.push(theirs === undefined ? item : merge(item, theirs, type.element));
    appliedItems.delete(element);
  }
  for (const item of appliedItems.values()) result.push(item);
  return result;
}
