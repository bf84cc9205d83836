import { duplicate, type FieldError, FieldPath, invalid } from "../field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray, jsonText } from "../patch/json-values.js";
import type { StructuralSchema } from "./structural-schema.js";

/**
 * Checks that sets and associative lists have no duplicates. Source: KEP-1152 (structured merge of custom resources).
 */
export function validateKeyedLists(object: JsonObject, schema: StructuralSchema): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.hasKeyedLists) check(object, schema, FieldPath.of(), errors);
  return errors;
}

function check(
  value: JsonValue | undefined,
  schema: StructuralSchema,
  at: FieldPath,
  errors: FieldError[],
): void {
  if (!schema.hasKeyedLists || typeof value !== "object" || value === null) return;
  if (isJsonArray(value)) {
    if (schema.listType === "set" || schema.listType === "map") checkItems(value, schema, at, errors);
    const { items } = schema;
    if (items?.hasKeyedLists)
      for (const [index, item] of value.entries()) check(item, items, at.index(index), errors);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const name in value) {
    const property = schema.properties.get(name);
    if (property !== undefined) check(value[name], property, at.child(name), errors);
    else if (typeof schema.additional === "object")
      check(value[name], schema.additional, at.key(name), errors);
  }
}

function checkItems(
  items: readonly JsonValue[],
  schema: StructuralSchema,
  at: FieldPath,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  const told = new Set<string>();
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    let named: JsonValue = item;
    if (schema.listType === "map") {
      if (!isJsonObject(item)) {
        errors.push(invalid(at.index(index), item, "must be an object for an array of list-type map"));
        continue;
      }
      named = keysOf(item, schema);
    }
    const key = sortedText(named);
    if (seen.has(key) && !told.has(key)) {
      told.add(key);
      errors.push(duplicate(at.index(index), named));
    }
    seen.add(key);
  }
}

function keysOf(item: JsonObject, schema: StructuralSchema): JsonObject {
  const keys: { [name: string]: JsonValue } = {};
  for (const key of schema.listMapKeys) {
    const value = Object.hasOwn(item, key) ? item[key] : schema.items?.properties.get(key)?.default;
    if (value !== undefined) keys[key] = value;
  }
  return keys;
}

/** Equal values have equal texts, regardless of the order of their members. */
function sortedText(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return `${typeof value} ${String(value)}`;
  if (isJsonArray(value)) return `[${value.map(sortedText).join(",")}]`;
  if (!isJsonObject(value)) return jsonText(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${sortedText(value[name] ?? null)}`).join(",")}}`;
}
