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
import type { MessageSchema } from "../schema/message-schema.js";
import { PatchError, withinField } from "./patch-error.js";
import { childOf, itemsOf, type PatchField, type PatchType, requireChild } from "./patch-type.js";
import { identityOf, orderMerged, placesOf } from "./strategic-order.js";

const directive = "$patch";
const retainKeys = "$retainKeys";
const deleteFromPrimitiveList = "$deleteFromPrimitiveList";
const setElementOrder = "$setElementOrder";

type JsonList = readonly JsonValue[];

/**
 * Merges as the type of the object says: lists by their merge key or as sets, `$patch: replace|delete`,
 * `$setElementOrder/<list>`, `$retainKeys`, `$deleteFromPrimitiveList/<list>`; null deletes. Returns a new
 * object that may share parts with the old one. Throws `PatchError`.
 *
 * Kubernetes 1.23 does not carry out directives below a field that the object does not have yet. In a map of keys and values they are its
 * entries here too, which validation refuses; but in lists and messages they are carried out, where Kubernetes would store the items that
 * should be deleted.
 */
export function applyStrategicMergePatch(
  document: JsonObject,
  patch: JsonValue,
  schema: MessageSchema,
): JsonObject {
  if (patch === null) return document;
  if (!isJsonObject(patch)) throw wrongDocument(patch);
  if (isDeeperThan(patch, jsonDepthMax)) {
    throw new PatchError("malformed", `the patch is nested more than ${jsonDepthMax} levels deep`);
  }
  return new Merge().object(document, patch, { kind: "message", message: schema });
}

/** One merge, with a limit on fields and items per step. */
class Merge {
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
        result.set(
          key,
          withinField(key, () => this.#field(result.get(key), value, key, type)),
        );
      }
    }
    return objectOf(result);
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
        this.object(isKnown ? existing : {}, item, itemsOf(field)),
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
        ? this.#newList(patchList ?? [], field)
        : patchList === undefined
          ? original
          : field.strategy === "merge"
            ? this.#list(original, patchList, field)
            : patchList;
    const live = liveOrder(original ?? [], merged, field.mergeKey);
    result.set(key, orderMerged(merged, order, live, field.mergeKey));
  }
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

/** `$patch` in items: `delete` removes the items with the same key; `replace` in any item replaces the whole list. */
function carryOutDirectives(
  original: JsonList,
  patch: JsonList,
  key: string,
): { original: JsonList; patch: readonly JsonObject[] } {
  const plain: JsonObject[] = [];
  const deleted = new Set<string>();
  let replace = false;
  for (const item of patch) {
    if (!isJsonObject(item)) continue;
    const command = ownField(item, directive);
    if (command === undefined) {
      plain.push(item);
    } else if (command === "delete") {
      requireKey(item, key);
      deleted.add(identityOf(item, key));
    } else if (command === "replace") {
      replace = true;
    } else {
      throw unknownListDirective(command, item);
    }
  }
  if (replace) return { original: plain, patch: [] };
  if (deleted.size === 0) return { original, patch: plain };
  return { original: original.filter((item) => !deleted.has(identityOf(item, key))), patch: plain };
}

/** Clears the fields that `$retainKeys` does not name; it must name every field of the patch. */
function retain(result: Map<string, JsonValue>, patch: JsonObject): void {
  const named = ownField(patch, retainKeys);
  if (named === undefined) return;
  const invalid = () => new PatchError("malformed", "invalid patch format of retainKeys");
  if (!isJsonArray(named)) throw invalid();
  const names = new Set(named);
  for (const [key, value] of Object.entries(patch)) {
    const exempt = key === retainKeys || value === null || value === undefined || isListDirective(key);
    if (!exempt && !names.has(key)) throw invalid();
  }
  for (const key of [...result.keys()]) if (!names.has(key)) result.delete(key);
}

/** Kubernetes treats new items as live ones if they end up in the positions of deleted ones. */
function liveOrder(original: JsonList, merged: JsonList, mergeKey: string | undefined): JsonList {
  if (mergeKey === undefined) return original;
  const isIn = (items: JsonList): ((item: JsonValue) => boolean) => {
    const identities = new Set(items.map((item) => identityOf(item, mergeKey)));
    return (item) => identities.has(identityOf(item, mergeKey));
  };
  const isLive = isIn(original);
  const added = merged.filter((item) => !isLive(item));
  return [...original.filter(isIn(merged)), ...added].slice(0, original.length);
}

/** The items that the patch sets must be in the order list, in the same order. */
function checkOrder(patchList: JsonList, order: JsonList, key: string | undefined): void {
  if (patchList.length === 0 || order.length === 0) return;
  let next = 0;
  const items = patchList.filter((item) => !isJsonObject(item) || ownField(item, directive) === undefined);
  for (const place of order) {
    const item = items[next];
    if (item === undefined) return;
    if (key !== undefined) {
      requireKey(item, key);
      requireKey(place, key);
    }
    const same = identityOf(item, key) === identityOf(place, key);
    if (same) next++;
  }
  if (next < items.length) {
    throw new PatchError(
      "failed",
      `The order in patch list:\n${goMapText(patchList)}\n doesn't match ${setElementOrder} list:\n${goMapText(order)}\n`,
    );
  }
}

function deletePrimitives(result: Map<string, JsonValue>, key: string, removed: JsonValue): void {
  const current = result.get(key);
  if (!isJsonArray(current) || !isJsonArray(removed)) return;
  if (itemKind(current, removed) === "map") {
    throw new PatchError("malformed", "invalid patch format of primitive list");
  }
  const gone = new Set(removed.map((item) => identityOf(item, undefined)));
  result.set(
    key,
    current.filter((item) => !gone.has(identityOf(item, undefined))),
  );
}

/** `containers` in `$setElementOrder/containers`. */
function directiveField(key: string, prefix: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix) {
    const what = prefix === setElementOrder ? "setElementOrder" : "primitive";
    throw new PatchError("malformed", `invalid patch format of ${what} list`);
  }
  return key.slice(slash + 1);
}

function isListDirective(key: string): boolean {
  return key.startsWith(deleteFromPrimitiveList) || key.startsWith(setElementOrder);
}

/** All items of one list are of one kind; lists of lists are not merged. */
function itemKind(...lists: readonly JsonList[]): string {
  let kind: string | undefined;
  for (const item of lists.flat(1)) {
    const current = isJsonArray(item) ? "list" : isJsonObject(item) ? "map" : kindOfScalar(item);
    kind ??= current;
    if (kind === "list") throw new PatchError("rejected", "lists of lists are not supported");
    if (kind !== current) {
      throw new PatchError("failed", `list element types are not identical: ${goMapText(lists)}`);
    }
  }
  return kind ?? "none";
}

function kindOfScalar(value: JsonValue): string {
  return typeof value === "bigint" ? "number" : value === null ? "null" : typeof value;
}

function requireKey(item: JsonValue, key: string): void {
  if (!isJsonObject(item)) throw wrongKind("map", item);
  if (ownField(item, key) === undefined) {
    throw new PatchError("failed", `map: ${goMapText(item)} does not contain declared merge key: ${key}`);
  }
}

function withoutRepeats(items: JsonList): JsonList {
  const seen = new Set<string>();
  return items.filter((item) => {
    const identity = identityOf(item, undefined);
    return !seen.has(identity) && seen.add(identity);
  });
}

function unknownListDirective(command: JsonValue, item: JsonObject): PatchError {
  return command === "merge"
    ? new PatchError("failed", "merging lists cannot yet be specified in the patch")
    : new PatchError("failed", `unknown patch type: ${goMapText(command)} in map: ${goMapText(item)}`);
}

/** In the words of Kubernetes' decoder. */
function wrongDocument(patch: JsonValue): PatchError {
  const kind = isJsonArray(patch) ? "array" : typeof patch === "boolean" ? "bool" : kindOfScalar(patch);
  return new PatchError(
    "malformed",
    `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
  );
}

function wrongKind(expected: string, actual: JsonValue): PatchError {
  const received = isJsonArray(actual) ? "list" : isJsonObject(actual) ? "map" : kindOfScalar(actual);
  return new PatchError("failed", `expected a ${expected}, but received a ${received}`);
}
