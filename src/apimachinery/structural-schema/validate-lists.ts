import { duplicate, type FieldError, FieldPath, invalid } from "../field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray, jsonEqual } from "../patch/json-values.js";
import { printUntyped } from "../printed-structs.js";
import { SteppedWalk } from "../stepped-walk.js";
import type { Steps } from "../steps.js";
import { type OwnObject, put } from "./prune.js";
import type { StructuralSchema } from "./structural-schema.js";
import { keyOfValue } from "./value-key.js";

/**
 * Finds duplicates in sets and associative lists, in steps. Source: KEP-1152 (structured merge of custom resources).
 */
export function* keyedListSteps(object: JsonObject, schema: StructuralSchema): Steps<FieldError[]> {
  const validation = new ListValidation();
  if (schema.hasKeyedLists) validation.check(object, schema, FieldPath.of());
  yield* validation.walk.steps();
  return validation.errors;
}

class ListValidation {
  readonly errors: FieldError[] = [];
  readonly walk = new SteppedWalk();

  check(value: JsonValue | undefined, schema: StructuralSchema, at: FieldPath): void {
    if (!schema.hasKeyedLists || typeof value !== "object" || value === null) return;
    if (isJsonArray(value)) {
      const { listType, items } = schema;
      if (listType === "set" || listType === "map") this.#checkKeys(value, keysOf(schema), at, 0);
      if (items?.hasKeyedLists) this.walk.after(() => this.#checkItems(value, items, at, 0));
      return;
    }
    if (isJsonObject(value)) this.#checkMembers(value, Object.keys(value), schema, at, 0);
  }

  #checkItems(items: readonly JsonValue[], schema: StructuralSchema, at: FieldPath, from: number): void {
    for (let index = from; index < items.length; index++) {
      if (this.walk.isOver()) {
        this.walk.putOff(() => this.#checkItems(items, schema, at, index));
        return;
      }
      this.check(items[index], schema, at.index(index));
    }
  }

  #checkMembers(
    object: JsonObject,
    names: readonly string[],
    schema: StructuralSchema,
    at: FieldPath,
    from: number,
  ): void {
    for (let index = from; index < names.length; index++) {
      if (this.walk.isOver()) {
        this.walk.putOff(() => this.#checkMembers(object, names, schema, at, index));
        return;
      }
      const name = names[index] ?? "";
      const property = schema.properties.get(name);
      if (property !== undefined) this.check(object[name], property, at.child(name));
      else if (typeof schema.additional === "object")
        this.check(object[name], schema.additional, at.key(name));
    }
  }

  #checkKeys(items: readonly JsonValue[], keys: Keys, at: FieldPath, from: number): void {
    const { isMap, seen, told } = keys;
    for (let index = from; index < items.length; index++) {
      if (this.walk.isOver()) {
        this.walk.putOff(() => this.#checkKeys(items, keys, at, index));
        return;
      }
      const item = items[index] ?? null;
      let named: JsonValue = item;
      let key: string | undefined;
      if (isMap) {
        // Whether items may be null is not a question of their keys.
        if (item === null) continue;
        if (!isJsonObject(item)) {
          this.errors.push(
            invalid(at.index(index), printUntyped(item), "must be an object for an array of list-type map"),
          );
          continue;
        }
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
  /** Those whose repetition is reported. */
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

/** The key members of an item. Looks at the item's own members: a schema may name very many. */
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
