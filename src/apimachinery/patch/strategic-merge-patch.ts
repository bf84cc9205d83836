import { goMapText } from "../errors/shown-value.js";
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
import { childOf, itemsOf, type PatchField, type PatchType, requireChild } from "./patch-type.js";
import {
  carryOutDirectives,
  deleteFromPrimitiveList,
  deletePrimitives,
  directive,
  directiveField,
  listWithoutDirected,
  objectWithoutDirected,
  retain,
  retainKeys,
  setElementOrder,
  unknownListDirective,
} from "./strategic-directives.js";
import { checkOrder, liveOrder } from "./strategic-element-order.js";
import { itemKind, requireKey, withoutRepeats, wrongKind } from "./strategic-items.js";
import { identityOf, orderMerged, placesOf } from "./strategic-order.js";

type JsonList = readonly JsonValue[];

/**
 * Merges as the type of the object says: lists by their merge key or as sets, `$patch: replace|delete`,
 * `$setElementOrder/<list>`, `$retainKeys`, `$deleteFromPrimitiveList/<list>`; null deletes. Returns a new
 * object that may share parts with the old one. Throws `PatchError`.
 *
 * Kubernetes does not carry out directives below a field that the object does not have yet. Levels from 1.28 on leave out what has `$patch`
 * there (`leavesOutDirected`). Before, it is an entry of a map of keys and values here too, which validation refuses; but in lists and messages
 * it is carried out, where Kubernetes would store the items that should be deleted.
 */
export function applyStrategicMergePatch(
  document: JsonObject,
  patch: JsonValue,
  schema: MessageSchema,
  leavesOutDirected = false,
): JsonObject {
  if (patch === null) return document;
  if (!isJsonObject(patch)) throw wrongDocument(patch);
  if (isDeeperThan(patch, jsonDepthMax)) {
    throw new PatchError("malformed", `the patch is nested more than ${jsonDepthMax} levels deep`);
  }
  return new Merge(leavesOutDirected).object(document, patch, { kind: "message", message: schema });
}

class Merge {
  readonly #leavesOutDirected: boolean;

  constructor(leavesOutDirected: boolean) {
    this.#leavesOutDirected = leavesOutDirected;
  }

  object(original: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
    const command = ownField(patch, directive);
    if (command !== undefined) {
      if (command === "delete") return {};
      if (command === "replace") {
        const { [directive]: _, ...rest } = patch;
        return this.object({}, rest, type);
      }
      throw new PatchError("failed", `unknown patch type: ${goMapText(command)} in map: ${goMapText(patch)}`);
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
        withinField(list, () => deletePrimitives(result, list, value));
      } else if (value === null) {
        result.delete(key);
      } else if (typeof value !== "object") {
        result.set(key, value);
      } else {
        const current = result.get(key);
        const isKnown = isOneKind(current, value);
        const kept = isKnown ? value : this.#new(value);
        if (kept === undefined) {
          result.delete(key);
          continue;
        }
        // `#new` has walked all of a new value: nothing below is to be left out again.
        const merge = isKnown ? this : carryingOut;
        result.set(
          key,
          withinField(key, () => merge.#field(current, kept, key, type)),
        );
      }
    }
    return objectOf(result);
  }

  /** A value for which the object has none to merge it with; undefined for one to be left out. */
  #new(value: JsonObject | JsonList): JsonObject | JsonList | undefined {
    if (!this.#leavesOutDirected) return value;
    return isJsonObject(value) ? objectWithoutDirected(value) : listWithoutDirected(value);
  }

  #field(
    current: JsonValue | undefined,
    value: JsonObject | JsonList,
    key: string,
    type: PatchType,
  ): JsonValue {
    const field = childOf(type, key);
    // Decoding drops fields that the type does not have, or refuses them in strict mode.
    if (field === undefined) return value;
    if (isJsonObject(value)) {
      if (field.strategy === "replace") return value;
      if (field.type.kind === "map" && !isJsonObject(current)) return withoutNulls(value);
      return this.object(isJsonObject(current) ? current : {}, value, field.type);
    }
    if (field.strategy !== "merge") return value;
    return isJsonArray(current) ? this.#list(current, value, field) : this.#newList(value, field);
  }

  /** The object does not have this merging list yet: only directives matter. */
  #newList(patch: JsonList, field: PatchField): JsonList {
    const items: JsonValue[] = [];
    for (const item of patch) {
      if (!isJsonObject(item)) {
        items.push(item);
        continue;
      }
      const command = ownField(item, directive);
      if (command === undefined) items.push(this.object({}, item, itemsOf(field)));
      else if (command !== "delete" && command !== "replace") throw unknownListDirective(command, item);
    }
    return items;
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
      const isKnown = place !== undefined && isJsonObject(existing);
      if (!isKnown) places.set(identity, merged.length);
      merged[isKnown ? place : merged.length] = withinField(`[${index}]`, () =>
        // Kubernetes leaves nothing out of a new item.
        isKnown ? this.object(existing, item, itemsOf(field)) : carryingOut.object({}, item, itemsOf(field)),
      );
    }
    return orderMerged(merged, remaining.patch, remaining.original, key);
  }

  /** Merges the lists that come with an order; returns their names. */
  #orderedLists(result: Map<string, JsonValue>, patch: JsonObject, type: PatchType): ReadonlySet<string> {
    const done = new Set<string>();
    for (const directiveKey of Object.keys(patch)) {
      if (!directiveKey.startsWith(setElementOrder)) continue;
      const order = patch[directiveKey];
      const key = directiveField(directiveKey, setElementOrder);
      withinField(key, () => this.#orderedList(result, patch, { key, order, type }, done));
    }
    return done;
  }

  #orderedList(
    result: Map<string, JsonValue>,
    patch: JsonObject,
    { key, order, type }: { key: string; order: JsonValue | undefined; type: PatchType },
    done: Set<string>,
  ): void {
    const patchList = ownField(patch, key) ?? undefined;
    const original = result.get(key) ?? undefined;
    if (!isJsonArray(order)) throw wrongKind("list", order ?? null);
    if (patchList !== undefined && !isJsonArray(patchList)) throw wrongKind("list", patchList);
    if (original !== undefined && !isJsonArray(original)) throw wrongKind("list", original);
    const field = requireChild(type, key);
    checkOrder(patchList ?? [], order, field.mergeKey);
    if (ownField(patch, key) === null) return;
    if (patchList !== undefined) done.add(key);
    if (original === undefined && patchList === undefined) return;
    const merged =
      original === undefined
        ? carryingOut.#newList(
            this.#leavesOutDirected ? listWithoutDirected(patchList ?? []) : (patchList ?? []),
            field,
          )
        : patchList === undefined
          ? original
          : field.strategy === "merge"
            ? this.#list(original, patchList, field)
            : patchList;
    const live = liveOrder(original ?? [], merged, field.mergeKey);
    result.set(key, orderMerged(merged, order, live, field.mergeKey));
  }
}

const carryingOut = new Merge(false);

function isOneKind(a: JsonValue | undefined, b: JsonValue): boolean {
  return isJsonArray(a) ? isJsonArray(b) : isJsonObject(a) && isJsonObject(b);
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

function wrongDocument(patch: JsonValue): PatchError {
  return new PatchError("malformed", unmarshalProblem(patch, "map[string]interface {}"));
}
