import { put } from "../collections/put.js";
import { duplicate, type FieldError, FieldPath, invalid } from "../errors/field-error.js";
import { printUntyped } from "../errors/printed-structs.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual } from "../json/json-values.js";
import type { OwnObject } from "./prune.js";
import type { StructuralSchema } from "./structural-schema.js";
import { keyOfValue } from "./value-key.js";

/** The duplicates in sets and associative lists. Source: KEP-1152 (structured merge of custom resources). */
export function keyedListErrors(object: JsonObject, schema: StructuralSchema): FieldError[] {
  const validation = new ListValidation();
  validation.check(object, schema, FieldPath.of());
  return validation.errors;
}

class ListValidation {
  readonly errors: FieldError[] = [];

  check(value: JsonValue | undefined, schema: StructuralSchema, at: FieldPath): void {
    if (!schema.hasKeyedLists || typeof value !== "object" || value === null) return;
    if (isJsonArray(value)) {
      const { listType, items } = schema;
      if (listType === "set" || listType === "map") this.#checkKeys(value, keysOf(schema), at);
      if (items?.hasKeyedLists !== true) return;
      for (const [index, item] of value.entries()) this.check(item, items, at.index(index));
      return;
    }
    if (!isJsonObject(value)) return;
    for (const name in value) {
      const property = schema.properties.get(name);
      if (property !== undefined) this.check(value[name], property, at.child(name));
      else if (typeof schema.additional === "object")
        this.check(value[name], schema.additional, at.key(name));
    }
  }

  #checkKeys(items: readonly JsonValue[], keys: Keys, at: FieldPath): void {
    const { isMap, seen, told } = keys;
    // Like Kubernetes, treats all items without keys as equal.
    const misfit = isMap ? items.findIndex((item) => item !== null && !isJsonObject(item)) : -1;
    if (misfit >= 0) {
      const why = "must be an object for an array of list-type map";
      this.errors.push(invalid(at.index(misfit), printUntyped(items[misfit] ?? null), why));
      return;
    }
    for (const [index, item] of items.entries()) {
      let named: JsonValue = item;
      let key: string | undefined;
      if (isMap) {
        // Whether an item may be null is checked elsewhere.
        if (!isJsonObject(item)) continue;
        named = membersNamed(keys, item);
        key = keyOfValue(withoutDefaults(keys, named));
      }
      key ??= keyOfValue(item) ?? "";
      if (seen.has(key) && !told.has(key)) {
        told.add(key);
        this.errors.push(duplicate(at.index(index), printUntyped(named)));
      }
      seen.add(key);
    }
  }
}

/** The items of one list, by the values that must differ. */
interface Keys {
  /** Whether certain members of the items must differ, or whole items. */
  readonly isMap: boolean;
  readonly names: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  readonly seen: Set<string>;
  /** Keys whose repetition is already reported. */
  readonly told: Set<string>;
}

function keysOf({ listType, listMapKeys, items }: StructuralSchema): Keys {
  return {
    isMap: listType === "map",
    names: new Set(listMapKeys),
    properties: items?.properties ?? new Map(),
    seen: new Set(),
    told: new Set(),
  };
}

/** The key members of an item. Reads the item's own members, because a schema may name very many. */
function membersNamed({ names }: Keys, item: JsonObject): JsonObject {
  const named: OwnObject = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined && names.has(name)) put(named, name, value);
  }
  return named;
}

/** An absent member has its default. */
function withoutDefaults({ properties }: Keys, named: JsonObject): JsonObject {
  const differing: OwnObject = {};
  for (const name in named) {
    const value = named[name];
    if (value !== undefined && !jsonEqual(value, properties.get(name)?.default)) put(differing, name, value);
  }
  return differing;
}
