import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import {
  deducedMap,
  deducedType,
  type ListType,
  type MapType,
  type MergeType,
  memberType,
  type StructType,
} from "../schema/merge-type.js";
import { asMember, type FieldSet, isEmptySet, isMember, leaf } from "./field-set.js";
import { itemElement } from "./list-items.js";
import type { PathElement } from "./path-element.js";

/**
 * Returns `value` without the fields and items of `set`. A container that loses all its contents becomes null, to distinguish it from
 * an empty one.
 */
export function removeItems(value: JsonObject, set: FieldSet, type: MergeType): JsonObject {
  const result = remove(value, set, type);
  return isJsonObject(result) ? result : {};
}

function remove(value: JsonValue, set: FieldSet, type: MergeType): JsonValue {
  switch (type.kind) {
    case "scalar":
      return value;
    case "list":
      return type.relation === "atomic" || !isJsonArray(value) ? value : removeFromList(value, set, type);
    case "map":
    case "struct":
      return removeFromMap(value, set, type);
    case "deduced":
      return removeFromMap(value, set, deducedMap);
  }
}

function removeFromList(value: readonly JsonValue[], set: FieldSet, type: ListType): JsonValue {
  const items: JsonValue[] = [];
  for (const item of value) {
    const node = set.get(itemElement(item, type));
    if (node === undefined) items.push(item);
    else if (!isMember(node)) items.push(remove(item, node, type.element));
  }
  return items.length === 0 ? null : items;
}

function removeFromMap(value: JsonValue, set: FieldSet, type: StructType | MapType): JsonValue {
  if (type.atomic || !isJsonObject(value)) return value;
  const fields: [string, JsonValue][] = [];
  for (const [name, field] of Object.entries(value)) {
    const node = set.get(`f:${name}`);
    if (node === undefined) fields.push([name, field]);
    else if (!isMember(node)) fields.push([name, remove(field, node, memberType(type, name) ?? deducedType)]);
  }
  return fields.length === 0 ? null : Object.fromEntries(fields);
}

/**
 * Adds to `set` every declared field on the way to its paths. A manager that gives up the last owned path in a field removes the
 * field as well.
 */
export function withDeclaredParents(set: FieldSet, type: MergeType): FieldSet {
  const result = new Map<PathElement, FieldSet>();
  for (const [element, node] of set) {
    if (isEmptySet(node)) {
      result.set(element, node);
      continue;
    }
    const child = childType(type, element);
    const inner = child === undefined ? node : withDeclaredParents(node, child);
    const declared = type.kind === "struct" && type.field(element.slice(2)) !== undefined;
    result.set(element, declared ? asMember(inner) : inner);
  }
  return result;
}

/**
 * Adapts `set` to a changed type: paths below a value that has become atomic are replaced by the path of that value. Returns the
 * same set when there are none.
 */
export function reconcileSet(set: FieldSet, type: MergeType): FieldSet {
  let result: Map<PathElement, FieldSet> | undefined;
  for (const [element, node] of set) {
    if (isEmptySet(node)) continue;
    const child = childType(type, element);
    if (child === undefined) continue;
    const reconciled = isAtomic(child) ? leaf : reconcileSet(node, child);
    if (reconciled === node) continue;
    result ??= new Map(set);
    result.set(element, reconciled);
  }
  return result ?? set;
}

function isAtomic(type: MergeType): boolean {
  if (type.kind === "scalar") return type.scalar === "opaque";
  return type.kind === "list" ? type.relation === "atomic" : "atomic" in type && type.atomic;
}

function childType(type: MergeType, element: string): MergeType | undefined {
  const isField = element.startsWith("f:");
  switch (type.kind) {
    case "scalar":
      return undefined;
    case "deduced":
      return isField ? deducedType : undefined;
    case "list":
      return isField ? undefined : type.element;
    case "map":
    case "struct":
      return isField ? memberType(type, element.slice(2)) : undefined;
  }
}
