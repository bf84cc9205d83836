import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray, jsonEqual, ownField } from "../patch/json-values.js";
import {
  deducedType,
  type ListType,
  type MapType,
  type MergeType,
  type StructType,
} from "../schema/merge-type.js";
import { asMember, emptySet, type FieldSet, leaf, recursiveDifference, union } from "./field-set.js";
import { groupItems, haveSameKeys, itemElement } from "./list-items.js";
import { type PathElement, printPathElement } from "./path-element.js";
import { TypedValueError } from "./typed-error.js";
import { wholesEqual } from "./wholes-equal.js";

/** What distinguishes two values. A path is in at most one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const same: Comparison = { added: emptySet, modified: emptySet, removed: emptySet };

export function isSame(comparison: Comparison): boolean {
  return comparison === same;
}

/**
 * What becomes of items of one list that have the same keys, where the list differs: "refused" throws `TypedValueError`; "whole" takes
 * them together as one value without anything below it.
 */
export type Repeats = "refused" | "whole";

export function compareTyped(
  left: JsonObject,
  right: JsonObject,
  type: MergeType,
  repeats: Repeats,
): Comparison {
  return toComparison(compareValues(left, right, type, repeats));
}

export function excludeFields(comparison: Comparison, ignored: FieldSet | undefined): Comparison {
  if (ignored === undefined || comparison === same) return comparison;
  return toComparison({
    added: recursiveDifference(comparison.added, ignored),
    modified: recursiveDifference(comparison.modified, ignored),
    removed: recursiveDifference(comparison.removed, ignored),
  });
}

/**
 * The same for one value, where a node stands for the value itself: an empty one says that the value as a
 * whole was added, modified or removed. Undefined where nothing differs.
 */
interface Difference {
  readonly added?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly removed?: FieldSet | undefined;
}

const noFields: JsonObject = {};
const modified: Difference = { modified: leaf };

function toComparison(difference: Difference | undefined): Comparison {
  const { added = emptySet, modified = emptySet, removed = emptySet } = difference ?? {};
  for (const _ in added) return { added, modified, removed };
  for (const _ in modified) return { added, modified, removed };
  for (const _ in removed) return { added, modified, removed };
  return same;
}

function compareValues(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  type: MergeType,
  repeats: Repeats,
): Difference | undefined {
  if (left === right) return undefined;
  if (left === undefined) return { added: wholeTree(right, type, repeats) };
  if (right === undefined) return { removed: wholeTree(left, type, repeats) };
  switch (type.kind) {
    case "scalar":
      return jsonEqual(left, right) ? undefined : modified;
    case "list":
      return compareLists(left, right, type, repeats);
    case "map":
    case "struct":
      if (type.atomic) {
        return wholesEqual(left, right, type) ? undefined : modified;
      }
      return compareObjects(left, right, type, repeats);
    case "deduced":
      return compareDeduced(left, right, repeats);
  }
}

function compareObjects(
  left: JsonValue,
  right: JsonValue,
  type: StructType | MapType,
  repeats: Repeats,
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
    const inner = compareField(name, ours, theirs, type, repeats);
    if (inner === undefined) continue;
    difference ??= new DifferenceBuilder();
    difference.add(`f:${name}`, inner);
  }
  for (const name in leftFields) {
    const ours = leftFields[name];
    if (ours === undefined) continue;
    // Those that both have were looked at.
    if (found > 0 && ownField(rightFields, name) !== undefined) {
      found--;
      continue;
    }
    const inner = compareField(name, ours, undefined, type, repeats);
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
  repeats: Repeats,
): Difference | undefined {
  if (type.kind === "map") return compareValues(ours, theirs, type.element, repeats);
  const field = type.field(name);
  if (field === undefined) return compareValues(ours, theirs, type.others ?? deducedType, repeats);
  const { implicit } = field;
  const left = ours === undefined ? implicit : ours;
  return compareValues(left, theirs === undefined ? implicit : theirs, field.type, repeats);
}

function compareLists(
  left: JsonValue,
  right: JsonValue,
  type: ListType,
  repeats: Repeats,
): Difference | undefined {
  const ours = isJsonArray(left) ? left : [];
  const theirs = isJsonArray(right) ? right : [];
  if (ours.length === 0 && theirs.length === 0) {
    // A typed list that is null and one that is empty are stored alike.
    return undefined;
  }
  if (type.relation === "atomic") return wholesEqual(left, right, type) ? undefined : modified;
  const difference = new DifferenceBuilder();
  const areNamed = repeats === "refused" || groupItems(ours, type).size === ours.length;
  if (areNamed && type.relation === "map" && haveSameItems(ours, theirs, type)) {
    for (const [index, item] of ours.entries()) {
      const inner = compareValues(item, theirs[index], type.element, repeats);
      if (inner !== undefined) difference.add(itemElement(item, type), inner);
    }
    return difference.resultOrUndefined();
  }
  if (type.relation === "set" && jsonEqual(ours, theirs)) return undefined;
  const leftItems = namedItems(ours, type, repeats, "lhs: ");
  const rightItems = namedItems(theirs, type, repeats, "rhs: ");
  for (const [element, items] of leftItems) {
    difference.add(element, compareItems(items, rightItems.get(element), type, repeats));
  }
  for (const [element, items] of rightItems) {
    if (!leftItems.has(element)) difference.add(element, compareItems(undefined, items, type, repeats));
  }
  return difference.resultOrUndefined();
}

/** Of the items of one name. Source: structured-merge-diff v4.4, `typed/compare.go`. */
function compareItems(
  left: readonly JsonValue[] | undefined,
  right: readonly JsonValue[] | undefined,
  type: ListType,
  repeats: Repeats,
): Difference | undefined {
  const oursRepeat = left !== undefined && left.length > 1;
  const theirsRepeat = right !== undefined && right.length > 1;
  if (!oursRepeat && !theirsRepeat) return compareValues(left?.[0], right?.[0], type.element, repeats);
  if (left === undefined) return { added: leaf };
  if (right === undefined) return { removed: leaf };
  if (jsonEqual(left, right)) return undefined;
  return {
    modified: leaf,
    ...(!theirsRepeat && { added: belowItem(right[0], type, repeats) }),
    ...(!oursRepeat && { removed: belowItem(left[0], type, repeats) }),
  };
}

function belowItem(item: JsonValue | undefined, type: ListType, repeats: Repeats): FieldSet | undefined {
  const { ".": _item, ...below } = wholeTree(item, type.element, repeats);
  return unlessEmpty(below);
}

/** Most writes leave items where they are; then nobody has to write their keys down. */
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
  repeats: Repeats,
  side: string,
): Map<PathElement, readonly JsonValue[]> {
  try {
    const named = groupItems(items, type);
    if (repeats === "refused" && named.size < items.length) throw new Error(repeatedText(named));
    return named;
  } catch (error) {
    throw new TypedValueError([side + (error instanceof Error ? error.message : String(error))]);
  }
}

function repeatedText(named: ReadonlyMap<PathElement, readonly JsonValue[]>): string {
  const [element = ""] = [...named].find(([, items]) => items.length > 1) ?? [];
  return `duplicate entries for key ${printPathElement(element)}`;
}

const deducedMap: MapType = { kind: "map", atomic: false, element: deducedType };

function compareDeduced(left: JsonValue, right: JsonValue, repeats: Repeats): Difference | undefined {
  if (isJsonObject(left) && isJsonObject(right)) return compareObjects(left, right, deducedMap, repeats);
  const isMap = isJsonObject(left) || isJsonObject(right);
  if (isMap && (left === null || right === null)) return compareObjects(left, right, deducedMap, repeats);
  if (!isMap) return jsonEqual(left, right) ? undefined : modified;
  // An object became something else or the other way round: the fields are gone or new, the value changed.
  const { added, removed } = compareObjects(left, right, deducedMap, repeats) ?? {};
  return {
    modified: leaf,
    ...(added !== undefined && { added: unlessEmpty(added) }),
    ...(removed !== undefined && { removed: unlessEmpty(removed) }),
  };
}

function unlessEmpty(node: FieldSet): FieldSet | undefined {
  for (const _ in node) return node;
  return undefined;
}

/** Of a value that only one side has, every node is a member. */
function wholeTree(value: JsonValue | undefined, type: MergeType, repeats: Repeats): FieldSet {
  switch (type.kind) {
    case "scalar":
      return leaf;
    case "list": {
      if (type.relation === "atomic" || !isJsonArray(value) || value.length === 0) return leaf;
      const node: { [element: string]: FieldSet } = {};
      for (const [element, [item, ...others]] of namedItems(value, type, repeats, "")) {
        node[element] = others.length > 0 ? leaf : wholeTree(item, type.element, repeats);
      }
      return asMember(node);
    }
    case "map":
    case "struct":
      if (type.atomic || !isJsonObject(value)) return leaf;
      return wholeFields(value, type, repeats);
    case "deduced":
      return isJsonObject(value) ? wholeFields(value, deducedMap, repeats) : leaf;
  }
}

function wholeFields(value: JsonObject, type: StructType | MapType, repeats: Repeats): FieldSet {
  const node: { [element: string]: FieldSet } = { ".": leaf };
  let isLeaf = true;
  for (const name in value) {
    const field = value[name];
    if (field === undefined) continue;
    const declared = type.kind === "struct" ? type.field(name)?.type : type.element;
    const others = type.kind === "struct" ? type.others : undefined;
    node[`f:${name}`] = wholeTree(field, declared ?? others ?? deducedType, repeats);
    isLeaf = false;
  }
  if (type.kind === "map") return isLeaf ? leaf : node;
  // What Kubernetes holds where there is nothing comes and goes with the whole.
  for (const name of type.implicitNames ?? []) {
    const field = ownField(value, name) === undefined ? type.field(name) : undefined;
    if (field?.implicit === undefined) continue;
    node[`f:${name}`] = wholeTree(field.implicit, field.type, repeats);
    isLeaf = false;
  }
  return isLeaf ? leaf : node;
}

function hasFields(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) if (value[name] !== undefined) return true;
  return false;
}

class DifferenceBuilder {
  #added: { [element: string]: FieldSet } | undefined;
  #modified: { [element: string]: FieldSet } | undefined;
  #removed: { [element: string]: FieldSet } | undefined;

  add(element: PathElement, difference: Difference | undefined): void {
    if (difference === undefined) return;
    const { added, modified, removed } = difference;
    if (added !== undefined) {
      this.#added ??= {};
      this.#added[element] = added;
    }
    if (modified !== undefined) {
      this.#modified ??= {};
      this.#modified[element] = modified;
    }
    if (removed !== undefined) {
      this.#removed ??= {};
      this.#removed[element] = removed;
    }
  }

  isEmpty(): boolean {
    return this.#added === undefined && this.#modified === undefined && this.#removed === undefined;
  }

  result(): Difference {
    return { added: this.#added, modified: this.#modified, removed: this.#removed };
  }

  resultOrUndefined(): Difference | undefined {
    return this.isEmpty() ? undefined : this.result();
  }
}

/** Everything that is not the same on both sides. */
export function changedSet({ added, modified }: Comparison): FieldSet {
  return union(added, modified);
}
