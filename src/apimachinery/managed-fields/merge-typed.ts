import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray, jsonEqual, membersOf, objectOf, ownField } from "../patch/json-values.js";
import {
  deducedType,
  type ListType,
  type MapType,
  type MergeType,
  type StructType,
} from "../schema/merge-type.js";
import { groupItems, itemElement } from "./list-items.js";
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

const deducedMap: MapType = { kind: "map", atomic: false, element: deducedType };

function replace(live: JsonValue, applied: JsonValue): JsonValue {
  return jsonEqual(live, applied) ? live : applied;
}

function mergeObjects(live: JsonValue, applied: JsonValue, type: StructType | MapType): JsonValue {
  if (!isJsonObject(live)) return applied;
  // Null claims as little about an object's fields as `{}` does.
  if (!isJsonObject(applied)) return Object.keys(live).length === 0 ? applied : live;
  let result: Map<string, JsonValue> | undefined;
  for (const name of Object.keys(applied)) {
    const theirs = applied[name];
    if (theirs === undefined) continue;
    const ours = ownField(live, name);
    const fieldType =
      type.kind === "map" ? type.element : (type.field(name)?.type ?? type.others ?? deducedType);
    const merged = merge(ours, theirs, fieldType);
    if (merged === ours) continue;
    result ??= membersOf(live);
    result.set(name, merged);
  }
  return result === undefined ? live : objectOf(result);
}

function mergeLists(live: JsonValue, applied: JsonValue, type: ListType): JsonValue {
  if (!isJsonArray(live) || live.length === 0) {
    return isJsonArray(live) && isJsonArray(applied) && applied.length === 0 ? live : applied;
  }
  if (!isJsonArray(applied) || applied.length === 0) return live;
  const appliedItems = new Map(applied.map((item) => [itemElement(item, type), item]));
  const liveItems = groupItems(live, type);
  const mergedItem = (element: PathElement): JsonValue => {
    const [ours, ...more] = liveItems.get(element) ?? [];
    const theirs = appliedItems.get(element) ?? null;
    // Duplicate items count as one value, which the applied item replaces.
    return ours !== undefined && more.length === 0 ? merge(ours, theirs, type.element) : theirs;
  };
  const liveElements = live.map((item) => itemElement(item, type));
  const result = mergedOrder(liveElements, [...appliedItems.keys()]).map(
    (place): JsonValue => (typeof place === "number" ? (live[place] ?? null) : mergedItem(place)),
  );
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
): (PathElement | number)[] {
  const isLive = new Set(live);
  const isApplied = new Set(applied);
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
