import type { JsonValue } from "../json/json-value.js";
import { isJsonObject } from "../json/json-value.js";
import { jsonText, ownField } from "../json/json-values.js";

type JsonList = readonly JsonValue[];

/**
 * Orders the items of a merged list: those that `first` names come in its order, the others in the order of
 * the live list, and each of the others stays in front of the named ones that it precedes in the live list.
 *
 *   live a b c d, named d b, merged a b c d:   named [d b], others [a c]  →  a c d b
 */
export function orderMerged(
  merged: JsonList,
  first: JsonList,
  live: JsonList,
  mergeKey: string | undefined,
): JsonList {
  const firstPlaces = placesOf(first, mergeKey);
  const livePlaces = placesOf(live, mergeKey);
  const named: Placed[] = [];
  const others: Placed[] = [];
  for (const item of merged) {
    const identity = identityOf(item, mergeKey);
    const place = firstPlaces.get(identity);
    const livePlace = livePlaces.get(identity);
    if (place === undefined) others.push({ item, place: livePlace ?? 0, livePlace });
    else named.push({ item, place, livePlace });
  }
  const byPlace = (a: Placed, b: Placed): number => a.place - b.place;
  const namedInOrder = named.sort(byPlace);
  const othersInOrder = others.sort(byPlace);

  const result: JsonValue[] = [];
  let next = 0;
  for (const { item, livePlace } of namedInOrder) {
    for (;;) {
      const other = othersInOrder[next];
      const comesBefore =
        other?.livePlace !== undefined && livePlace !== undefined && other.livePlace < livePlace;
      if (other === undefined || !comesBefore) break;
      result.push(other.item);
      next++;
    }
    result.push(item);
  }
  for (const { item } of othersInOrder.slice(next)) result.push(item);
  return result;
}

interface Placed {
  readonly item: JsonValue;
  readonly place: number;
  readonly livePlace: number | undefined;
}

/** The first item of each identity. */
export function placesOf(items: JsonList, mergeKey: string | undefined): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, item] of items.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!places.has(identity)) places.set(identity, place);
  }
  return places;
}

/** Equal for items that are the same entry of a list: by the value of the merge key, or by their own value. */
export function identityOf(item: JsonValue, mergeKey: string | undefined): string {
  const value = mergeKey !== undefined && isJsonObject(item) ? ownField(item, mergeKey) : item;
  if (value === undefined) return "";
  return jsonText(value);
}
