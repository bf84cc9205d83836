import { goType } from "../errors/go-type.js";
import { shortened } from "../errors/printed-value.js";
import { goMapText } from "../errors/shown-value.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, membersOf, objectOf, ownField } from "../json/json-values.js";
import { PatchError } from "./patch-error.js";
import { itemKind, requireKey } from "./strategic-items.js";
import { identityOf } from "./strategic-order.js";

export const directive = "$patch";
export const retainKeys = "$retainKeys";
export const deleteFromPrimitiveList = "$deleteFromPrimitiveList";
export const setElementOrder = "$setElementOrder";

type JsonList = readonly JsonValue[];

/** `$patch` in items: `delete` removes the items with the same key; `replace` in any item replaces the whole list. */
export function carryOutDirectives(
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
      throw command === "merge"
        ? new PatchError("failed", "merging lists cannot yet be specified in the patch")
        : unknownDirective(command, item);
    }
  }
  if (replace) return { original: plain, patch: [] };
  if (deleted.size === 0) return { original, patch: plain };
  return { original: original.filter((item) => !deleted.has(identityOf(item, key))), patch: plain };
}

/** Drops the objects that have a `$patch`; undefined if the value has one itself. */
export function withoutDirected(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) return listWithoutDirected(value);
  if (!isJsonObject(value)) return value;
  if (ownField(value, directive) !== undefined) return undefined;
  const members = membersOf(value);
  for (const [key, member] of members) {
    const kept = withoutDirected(member);
    if (kept === undefined) members.delete(key);
    else members.set(key, kept);
  }
  return objectOf(members);
}

export function listWithoutDirected(items: JsonList): JsonList {
  return items.map(withoutDirected).filter((item) => item !== undefined);
}

/** Clears the fields that `$retainKeys` does not name; it must name every field of the patch. */
export function retain(result: Map<string, JsonValue>, patch: JsonObject): void {
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

export function withoutPrimitives(items: JsonList, removed: JsonList): JsonList {
  if (itemKind(items, removed) === "map") {
    throw new PatchError("malformed", "invalid patch format of primitive list");
  }
  const gone = new Set(removed.map((item) => identityOf(item, undefined)));
  return items.filter((item) => !gone.has(identityOf(item, undefined)));
}

/** `containers` in `$setElementOrder/containers`. */
export function directiveField(key: string, prefix: string): string {
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

export function unknownDirective(command: JsonValue, value: JsonObject): PatchError {
  return new PatchError("failed", `unknown patch type: ${goStringText(command)} in map: ${goMapText(value)}`);
}

/** How Go prints the value where it expects a string. */
function goStringText(value: JsonValue): string {
  return typeof value === "string"
    ? shortened(value)
    : `%!s(${value === null ? "<nil>" : `${goType(value)}=${goMapText(value)}`})`;
}
