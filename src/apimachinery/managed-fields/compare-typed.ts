import { messageOf } from "../errors/message-of.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual, ownField } from "../json/json-values.js";
import {
  deducedMap,
  deducedType,
  type ListType,
  type MapType,
  type MergeType,
  type StructType,
} from "../schema/merge-type.js";
import { atomicValuesEqual } from "./atomic-values-equal.js";
import { type Difference, DifferenceBuilder } from "./difference-builder.js";
import type { FieldFilter } from "./field-filter.js";
import { emptySet, type FieldSet, leaf, selfElement, union } from "./field-set.js";
import { groupItems, haveSameKeys, itemElement } from "./list-items.js";
import type { PathElement } from "./path-element.js";
import { TypedValueError } from "./typed-error.js";
import {
  addItems,
  type Comparing,
  type Repeats,
  repeatedText,
  setCharactersMax,
  unbounded,
  wholeTree,
} from "./whole-tree.js";

/** The difference between two values. A path is in at most one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const same: Comparison = { added: emptySet, modified: emptySet, removed: emptySet };

export function isSame(comparison: Comparison): boolean {
  return comparison === same;
}

/** Throws `TypedValueError`, and 413 when more fields are added than can be stored. */
export function compareTyped(
  left: JsonObject,
  right: JsonObject,
  type: MergeType,
  repeats: Repeats,
): Comparison {
  const budget = { charactersLeft: setCharactersMax };
  const difference = compareValues(left, right, type, { repeats, budget, side: "" });
  return toComparison(difference);
}

export function filterFields(comparison: Comparison, filter: FieldFilter | undefined): Comparison {
  if (filter === undefined || comparison === same) return comparison;
  return toComparison({
    added: filter(comparison.added),
    modified: filter(comparison.modified),
    removed: filter(comparison.removed),
  });
}

const noFields: JsonObject = {};
const modified: Difference = { modified: leaf };

function toComparison(difference: Difference | undefined): Comparison {
  const { added = emptySet, modified = emptySet, removed = emptySet } = difference ?? {};
  return added.size + modified.size + removed.size === 0 ? same : { added, modified, removed };
}

function compareValues(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  type: MergeType,
  how: Comparing,
): Difference | undefined {
  if (left === right) return undefined;
  if (left === undefined) return { added: wholeTree(right, type, how) };
  if (right === undefined) return { removed: wholeTree(left, type, { ...how, budget: unbounded }) };
  switch (type.kind) {
    case "scalar":
      return jsonEqual(left, right) ? undefined : modified;
    case "list":
      return compareLists(left, right, type, how);
    case "map":
    case "struct":
      if (type.atomic) {
        return atomicValuesEqual(left, right, type) ? undefined : modified;
      }
      return compareObjects(left, right, type, how);
    case "deduced":
      return compareDeduced(left, right, how);
  }
}

function compareObjects(
  left: JsonValue,
  right: JsonValue,
  type: StructType | MapType,
  how: Comparing,
): Difference | undefined {
  const leftFields = isJsonObject(left) ? left : noFields;
  const rightFields = isJsonObject(right) ? right : noFields;
  let difference: DifferenceBuilder | undefined;
  let found = 0;
  for (const name in rightFields) {
    const theirs = rightFields[name];
    if (theirs === undefined) continue;
    const ours = ownField(leftFields, name);
    if (ours !== undefined) found++;
    if (ours === theirs) continue;
    const inner = compareField(name, ours, theirs, type, how);
    if (inner === undefined) continue;
    difference ??= new DifferenceBuilder();
    difference.add(`f:${name}`, inner);
  }
  for (const name in leftFields) {
    const ours = leftFields[name];
    if (ours === undefined) continue;
    // Fields of both sides were compared above.
    if (found > 0 && ownField(rightFields, name) !== undefined) {
      found--;
      continue;
    }
    const inner = compareField(name, ours, undefined, type, how);
    if (inner === undefined) continue;
    difference ??= new DifferenceBuilder();
    difference.add(`f:${name}`, inner);
  }
  if (difference !== undefined) return difference.result();
  if (isJsonObject(left) === isJsonObject(right)) return undefined;
  return hasFields(left) || hasFields(right) ? undefined : modified;
}

function compareField(
  name: string,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
  type: StructType | MapType,
  how: Comparing,
): Difference | undefined {
  if (type.kind === "map") return compareValues(ours, theirs, type.element, how);
  const field = type.field(name);
  if (field === undefined) return compareValues(ours, theirs, type.others ?? deducedType, how);
  const { implicit } = field;
  const left = ours === undefined ? implicit : ours;
  return compareValues(left, theirs === undefined ? implicit : theirs, field.type, how);
}

function compareLists(
  left: JsonValue,
  right: JsonValue,
  type: ListType,
  how: Comparing,
): Difference | undefined {
  const ours = isJsonArray(left) ? left : [];
  const theirs = isJsonArray(right) ? right : [];
  if (ours.length === 0 && theirs.length === 0) return jsonEqual(left, right) ? undefined : modified;
  if (type.relation === "atomic") return atomicValuesEqual(left, right, type) ? undefined : modified;
  if (ours.length === 0) return { added: newItems(theirs, type, how) };
  const difference = new DifferenceBuilder();
  const areNamed = how.repeats === "refused" || groupItems(ours, type).size === ours.length;
  if (areNamed && type.relation === "map" && haveSameItems(ours, theirs, type)) {
    for (const [index, item] of ours.entries()) {
      const inner = compareValues(item, theirs[index], type.element, how);
      if (inner !== undefined) difference.add(itemElement(item, type), inner);
    }
    return difference.resultOrUndefined();
  }
  if (type.relation === "set" && jsonEqual(ours, theirs)) return undefined;
  const leftItems = namedItems(ours, type, how, "lhs: ");
  const rightItems = namedItems(theirs, type, how, "rhs: ");
  for (const [element, items] of leftItems) {
    difference.add(element, compareItems(items, rightItems.get(element), type, how));
  }
  for (const [element, items] of rightItems) {
    if (!leftItems.has(element)) difference.add(element, compareItems(undefined, items, type, how));
  }
  return difference.resultOrUndefined();
}

/** The items of a list where there were none. */
function newItems(items: readonly JsonValue[], type: ListType, how: Comparing): FieldSet {
  const added = new Map<PathElement, FieldSet>();
  addItems(added, items, type, { ...how, side: "rhs: " });
  return added;
}

/** Compares the items that share one name. Source: structured-merge-diff v4.4, `typed/compare.go`. */
function compareItems(
  left: readonly JsonValue[] | undefined,
  right: readonly JsonValue[] | undefined,
  type: ListType,
  how: Comparing,
): Difference | undefined {
  const oursRepeat = left !== undefined && left.length > 1;
  const theirsRepeat = right !== undefined && right.length > 1;
  if (!oursRepeat && !theirsRepeat) return compareValues(left?.[0], right?.[0], type.element, how);
  if (left === undefined) return { added: leaf };
  if (right === undefined) return { removed: leaf };
  if (jsonEqual(left, right)) return undefined;
  return {
    modified: leaf,
    ...(!theirsRepeat && { added: belowItem(right[0], type, how) }),
    ...(!oursRepeat && { removed: belowItem(left[0], type, how) }),
  };
}

function belowItem(item: JsonValue | undefined, type: ListType, how: Comparing): FieldSet | undefined {
  const below = new Map(wholeTree(item, type.element, how));
  below.delete(selfElement);
  return unlessEmpty(below);
}

/** Most writes keep the order of items, so their keys need not be serialized. */
function haveSameItems(ours: readonly JsonValue[], theirs: readonly JsonValue[], type: ListType): boolean {
  if (ours.length !== theirs.length) return false;
  for (let index = 0; index < ours.length; index++) {
    if (!haveSameKeys(ours[index], theirs[index], type)) return false;
  }
  return true;
}

function namedItems(
  items: readonly JsonValue[],
  type: ListType,
  how: Comparing,
  side: string,
): Map<PathElement, readonly JsonValue[]> {
  try {
    const named = groupItems(items, type);
    if (how.repeats === "refused" && named.size < items.length) {
      const [element = ""] = [...named].find(([, group]) => group.length > 1) ?? [];
      throw new Error(repeatedText(element));
    }
    return named;
  } catch (error) {
    throw new TypedValueError([side + messageOf(error)]);
  }
}

function compareDeduced(left: JsonValue, right: JsonValue, how: Comparing): Difference | undefined {
  if (isJsonObject(left) && isJsonObject(right)) return compareObjects(left, right, deducedMap, how);
  const isMap = isJsonObject(left) || isJsonObject(right);
  if (isMap && (left === null || right === null)) return compareObjects(left, right, deducedMap, how);
  if (!isMap) return jsonEqual(left, right) ? undefined : modified;
  // An object became another kind of value, or the reverse: its fields are added or removed, and the value is modified.
  const { added, removed } = compareObjects(left, right, deducedMap, how) ?? {};
  return {
    modified: leaf,
    ...(added !== undefined && { added: unlessEmpty(added) }),
    ...(removed !== undefined && { removed: unlessEmpty(removed) }),
  };
}

function unlessEmpty(node: FieldSet): FieldSet | undefined {
  return node.size === 0 ? undefined : node;
}

function hasFields(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) if (value[name] !== undefined) return true;
  return false;
}

/** All paths that differ. */
export function changedSet({ added, modified }: Comparison): FieldSet {
  return union(added, modified);
}
