import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual, membersOf, objectOf, ownField } from "../json/json-values.js";
import {
  deducedMap,
  deducedType,
  type ListType,
  type MapType,
  type MergeType,
  memberType,
  type StructType,
} from "../schema/merge-type.js";
import { itemElement } from "./list-items.js";
import type { PathElement } from "./path-element.js";

/**
 * Merges the applied configuration into the live object: nothing is removed, applied leaves win, and items are ordered by
 * `mergedOrder`. Both values have passed `checkTyped`; only the live one may have duplicate items. The result shares parts with both,
 * and is `live` itself when nothing changes.
 */
export function mergeTyped(live: JsonObject, applied: JsonObject, type: MergeType): JsonObject {
  const merged = merge(live, applied, type);
  return isJsonObject(merged) ? merged : live;
}

function merge(live: JsonValue | undefined, applied: JsonValue, type: MergeType): JsonValue {
  if (live === undefined || live === applied) return applied;
  switch (type.kind) {
    case "scalar":
      return replace(live, applied);
    case "list":
      return type.relation === "atomic" ? replace(live, applied) : mergeLists(live, applied, type);
    case "map":
    case "struct":
      return type.atomic ? replace(live, applied) : mergeObjects(live, applied, type);
    case "deduced":
      return isJsonObject(live) && (isJsonObject(applied) || applied === null)
        ? mergeObjects(live, applied, deducedMap)
        : replace(live, applied);
  }
}

function replace(live: JsonValue, applied: JsonValue): JsonValue {
  return jsonEqual(live, applied) ? live : applied;
}

function mergeObjects(live: JsonValue, applied: JsonValue, type: StructType | MapType): JsonValue {
  if (!isJsonObject(live)) return applied;
  // An applied null owns no fields, like `{}`.
  if (!isJsonObject(applied)) return Object.keys(live).length === 0 ? applied : live;
  let result: Map<string, JsonValue> | undefined;
  for (const name of Object.keys(applied)) {
    const theirs = applied[name];
    if (theirs === undefined) continue;
    const ours = ownField(live, name);
    const fieldType = memberType(type, name) ?? deducedType;
    // Most values are scalars, which need no steps of their own.
    const merged =
      fieldType.kind === "scalar" && ours !== undefined
        ? replace(ours, theirs)
        : merge(ours, theirs, fieldType);
    if (merged === ours) continue;
    result ??= membersOf(live);
    result.set(name, merged);
  }
  if (result === undefined) return live;
  return objectOf(result);
}

/** The live items of one name. */
interface Ours {
  readonly first: JsonValue;
  isRepeated: boolean;
}

function mergeLists(live: JsonValue, applied: JsonValue, type: ListType): JsonValue {
  if (!isJsonArray(live) || live.length === 0) {
    return isJsonArray(live) && isJsonArray(applied) && applied.length === 0 ? live : applied;
  }
  if (!isJsonArray(applied) || applied.length === 0) return live;
  const appliedItems = new Map<PathElement, JsonValue>();
  for (const item of applied) {
    appliedItems.set(itemElement(item, type), item);
  }
  const liveElements: PathElement[] = [];
  const liveItems = new Map<PathElement, Ours>();
  for (const item of live) {
    const element = itemElement(item, type);
    liveElements.push(element);
    const known = liveItems.get(element);
    if (known === undefined) liveItems.set(element, { first: item, isRepeated: false });
    else known.isRepeated = true;
  }
  const order = mergedOrder(liveElements, [...appliedItems.keys()], liveItems, appliedItems);
  const result: JsonValue[] = [];
  for (const place of order) {
    if (typeof place === "number") {
      result.push(live[place] ?? null);
      continue;
    }
    const ours = liveItems.get(place);
    const theirs = appliedItems.get(place) ?? null;
    // Duplicate items count as one value, which the applied item replaces.
    const isOne = ours !== undefined && !ours.isRepeated;
    result.push(isOne ? merge(ours.first, theirs, type.element) : theirs);
  }
  const isLive = result.length === live.length && result.every((item, index) => item === live[index]);
  return isLive ? live : result;
}

/**
 * Applied items keep the order of the configuration. The other live items keep their positions as far as that order allows: each
 * precedes the next live item that has not been placed yet.
 *
 *   live a b c d, applied x d b   →   a c x d b
 *
 * Items that were not applied are returned as indexes into `live`.
 */
function mergedOrder(
  live: readonly PathElement[],
  applied: readonly PathElement[],
  isLive: { has(element: PathElement): boolean },
  isApplied: { has(element: PathElement): boolean },
): (PathElement | number)[] {
  const shared = applied.filter((element) => isLive.has(element));
  const result: (PathElement | number)[] = [];
  let nextShared = 0;
  let ourPlace = 0;
  let theirPlace = 0;
  for (;;) {
    const ours = live[ourPlace];
    const theirs = applied[theirPlace];
    if (ours !== undefined && !isApplied.has(ours)) {
      result.push(ourPlace);
      ourPlace++;
    } else if (theirs === undefined) {
      if (ours === undefined) return result;
      ourPlace++;
    } else if (
      ours !== undefined &&
      ours !== theirs &&
      ours !== shared[nextShared] &&
      nextShared < shared.length
    ) {
      // This item appears later in the applied order, or was already placed.
      ourPlace++;
    } else {
      result.push(theirs);
      theirPlace++;
      if (ours === theirs) ourPlace++;
      if (theirs === shared[nextShared]) nextShared++;
    }
  }
}
