import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import {
  isDeeperThan,
  isJsonArray,
  jsonDepthMax,
  membersOf,
  objectOf,
  ownField,
} from "../json/json-values.js";
import { unmarshalProblem } from "../json/unmarshal-problem.js";
import type { MessageSchema } from "../schema/message-schema.js";
import { PatchError, withinField } from "./patch-error.js";
import { childOf, type PatchField, type PatchType, requireChild } from "./patch-type.js";
import {
  carryOutDirectives,
  deleteFromPrimitiveList,
  directive,
  directiveField,
  listWithoutDirected,
  retain,
  retainKeys,
  setElementOrder,
  unknownDirective,
  withoutDirected,
  withoutPrimitives,
} from "./strategic-directives.js";
import { checkOrder, liveOrder, requireKeys } from "./strategic-element-order.js";
import { itemKind, requireKey, requireList, withoutRepeats } from "./strategic-items.js";
import { identityOf, orderMerged, placesOf } from "./strategic-order.js";

type JsonList = readonly JsonValue[];

/** Differences between levels. */
export interface StrategicMergeRules {
  /** Whether nulls are dropped from values that the object does not have yet, as since 1.24. */
  readonly discardsNulls: boolean;
  /**
   * Whether objects with a `$patch` are dropped from values that the object does not have yet, and primitives can be deleted from any
   * list, as since 1.28.
   */
  readonly leavesOutDirected: boolean;
}

export const newestRules: StrategicMergeRules = { discardsNulls: true, leavesOutDirected: true };

/**
 * Merges as the type of the object says: lists by their merge key or as sets, `$patch: replace|delete`,
 * `$setElementOrder/<list>`, `$retainKeys`, `$deleteFromPrimitiveList/<list>`; null deletes. Returns a new
 * object that may share parts with the old one. Throws `PatchError`.
 *
 * As in Kubernetes, directives below something that the object does not have yet are not carried out: they are fields, which decoding drops,
 * reports or refuses.
 */
export function applyStrategicMergePatch(
  document: JsonObject,
  patch: JsonValue,
  schema: MessageSchema,
  rules = newestRules,
): JsonObject {
  if (patch === null) return document;
  if (!isJsonObject(patch)) throw wrongDocument(patch);
  if (isDeeperThan(patch, jsonDepthMax)) {
    throw new PatchError("malformed", `the patch is nested more than ${jsonDepthMax} levels deep`);
  }
  return new Merge(rules).object(document, patch, { kind: "message", message: schema });
}

class Merge {
  readonly #rules: StrategicMergeRules;

  constructor(rules: StrategicMergeRules) {
    this.#rules = rules;
  }

  object(original: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
    const command = ownField(patch, directive);
    if (command !== undefined) {
      if (command === "delete") return {};
      if (command !== "replace") throw unknownDirective(command, patch);
      const { [directive]: _, ...rest } = patch;
      return rest;
    }
    const result = membersOf(original);
    retain(result, patch);
    const ordered = this.#orderedLists(result, patch, type);
    for (const key of Object.keys(patch)) {
      const value = patch[key];
      if (value === undefined || key === retainKeys || key.startsWith(setElementOrder) || ordered.has(key)) {
        continue;
      }
      if (key.startsWith(deleteFromPrimitiveList)) {
        const list = directiveField(key, deleteFromPrimitiveList);
        withinField(list, () => this.#deletePrimitives(result, list, value, type));
      } else if (value === null) {
        result.delete(key);
      } else {
        const merged =
          typeof value === "object"
            ? withinField(key, () => this.#value(result.get(key), value, key, type))
            : value;
        if (merged === undefined) result.delete(key);
        else result.set(key, merged);
      }
    }
    return objectOf(result);
  }

  /** Undefined for a value to leave out. */
  #value(
    current: JsonValue | undefined,
    value: JsonObject | JsonList,
    key: string,
    type: PatchType,
  ): JsonValue | undefined {
    if (isJsonObject(value)) {
      if (!isJsonObject(current)) return asNew(value, this.#rules);
      const field = childOf(type, key);
      return field === undefined || field.strategy === "replace"
        ? value
        : this.object(current, value, field.type);
    }
    if (!isJsonArray(current)) return asNew(value, this.#rules);
    const field = childOf(type, key);
    return field?.strategy === "merge" ? this.#list(current, value, field) : value;
  }

  #deletePrimitives(result: Map<string, JsonValue>, key: string, removed: JsonValue, type: PatchType): void {
    const current = result.get(key);
    if (removed === null) result.delete(key);
    if (!isJsonArray(current) || !isJsonArray(removed)) return;
    const deletes = this.#rules.leavesOutDirected || childOf(type, key)?.strategy === "merge";
    result.set(key, deletes ? withoutPrimitives(current, removed) : removed);
  }

  #list(original: JsonList, patch: JsonList, field: PatchField): JsonList {
    if (original.length === 0 && patch.length === 0) return original;
    const key = field.mergeKey;
    if (itemKind(original, patch) !== "map") {
      const items = withoutRepeats([...original, ...patch]);
      return orderMerged(items, patch, original, undefined);
    }
    if (key === undefined) {
      throw new PatchError("failed", "cannot merge lists without merge key for type struct");
    }
    const remaining = carryOutDirectives(original, patch, key);
    const merged = [...remaining.original];
    const places = placesOf(merged, key);
    for (const [index, item] of remaining.patch.entries()) {
      withinField(`[${index}]`, () => requireKey(item, key));
      const identity = identityOf(item, key);
      const place = places.get(identity);
      const existing = place === undefined ? undefined : merged[place];
      if (place !== undefined && isJsonObject(existing)) {
        merged[place] = withinField(`[${index}]`, () => this.object(existing, item, field.type));
      } else {
        places.set(identity, merged.length);
        merged.push(item);
      }
    }
    return orderMerged(merged, remaining.patch, remaining.original, key);
  }

  /** Merges the lists that come with an order; returns their names. */
  #orderedLists(result: Map<string, JsonValue>, patch: JsonObject, type: PatchType): ReadonlySet<string> {
    const done = new Set<string>();
    for (const directiveKey of Object.keys(patch)) {
      if (!directiveKey.startsWith(setElementOrder)) continue;
      const key = directiveField(directiveKey, setElementOrder);
      const [original, sent] = [result.get(key), ownField(patch, key)];
      const merged = withinField(key, () => {
        const order = requireList(patch[directiveKey] ?? null);
        return this.#orderedList(
          original === undefined ? undefined : requireList(original),
          sent === undefined ? undefined : requireList(sent),
          order,
          requireChild(type, key),
        );
      });
      if (merged === undefined) continue;
      result.set(key, merged);
      done.add(key);
    }
    return done;
  }

  #orderedList(
    original: JsonList | undefined,
    patch: JsonList | undefined,
    order: JsonList,
    field: PatchField,
  ): JsonList | undefined {
    checkOrder(patch ?? [], order, field.mergeKey);
    let merged = original ?? patch;
    if (merged === undefined) return undefined;
    if (patch !== undefined) {
      if (original !== undefined)
        merged = field.strategy === "merge" ? this.#list(original, patch, field) : patch;
      else if (this.#rules.leavesOutDirected) merged = listWithoutDirected(patch);
    }
    if (field.mergeKey !== undefined && merged.length > 0) requireKeys(merged, order, field.mergeKey);
    if (itemKind(original ?? [], patch ?? []) === "none") {
      throw new PatchError("failed", "no elements in any of the given slices");
    }
    return orderMerged(merged, order, liveOrder(original ?? [], merged, field.mergeKey), field.mergeKey);
  }
}

/** A value that the object does not have yet; undefined for one to leave out. */
function asNew(value: JsonObject | JsonList, rules: StrategicMergeRules): JsonValue | undefined {
  const kept = rules.discardsNulls ? withoutNulls(value) : value;
  return rules.leavesOutDirected ? withoutDirected(kept) : kept;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = membersOf(value);
  for (const [key, member] of members) {
    if (member === null) members.delete(key);
    else members.set(key, withoutNulls(member));
  }
  return objectOf(members);
}

function wrongDocument(patch: JsonValue): PatchError {
  return new PatchError("malformed", unmarshalProblem(patch, "map[string]interface {}"));
}
