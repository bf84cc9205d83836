import { goMapText } from "../errors/shown-value.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { ownField } from "../json/json-values.js";
import { PatchError } from "./patch-error.js";
import { directive, setElementOrder } from "./strategic-directives.js";
import { requireKey } from "./strategic-items.js";
import { identityOf } from "./strategic-order.js";

type JsonList = readonly JsonValue[];

/** Kubernetes treats new items as live ones if they end up in the positions of deleted ones. */
export function liveOrder(original: JsonList, merged: JsonList, mergeKey: string | undefined): JsonList {
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
export function checkOrder(patchList: JsonList, order: JsonList, key: string | undefined): void {
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

/** Throws `PatchError` unless all items of a list, and all of its order, have the merge key. */
export function requireKeys(items: JsonList, order: JsonList, key: string): void {
  for (const item of items) requireKey(item, key);
  for (const [index, place] of order.entries()) {
    if (!isJsonObject(place)) throw new PatchError("failed", `value for key ${index} is not a map`);
    requireKey(place, key);
  }
}
