import { duplicate, type FieldError, FieldPath, invalid } from "../field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray, jsonText } from "../patch/json-values.js";
import { printUntyped } from "../printed-structs.js";
import { SteppedWalk } from "../stepped-walk.js";
import type { Steps } from "../steps.js";
import type { StructuralSchema } from "./structural-schema.js";

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
      if (listType === "set" || listType === "map") this.#checkKeys(value, schema, at, newKeys(), 0);
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

  #checkKeys(
    items: readonly JsonValue[],
    schema: StructuralSchema,
    at: FieldPath,
    keys: Keys,
    from: number,
  ): void {
    const { seen, told } = keys;
    for (let index = from; index < items.length; index++) {
      if (this.walk.isOver()) {
        this.walk.putOff(() => this.#checkKeys(items, schema, at, keys, index));
        return;
      }
      const item = items[index] ?? null;
      let named: JsonValue = item;
      if (schema.listType === "map") {
        // Whether items may be null is not a question of their keys.
        if (item === null) continue;
        if (!isJsonObject(item)) {
          this.errors.push(
            invalid(at.index(index), printUntyped(item), "must be an object for an array of list-type map"),
          );
          continue;
        }
        named = keysOf(item, schema);
      }
      const key = sortedText(named);
      if (seen.has(key) && !told.has(key)) {
        told.add(key);
        this.errors.push(duplicate(at.index(index), printUntyped(named)));
      }
      seen.add(key);
    }
  }
}

interface Keys {
  readonly seen: Set<string>;
  /** Those whose repetition is reported. */
  readonly told: Set<string>;
}

function newKeys(): Keys {
  return { seen: new Set(), told: new Set() };
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
