import { messageOf } from "../errors/message-of.js";
import { requestTooLarge } from "../errors/status.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, ownField } from "../json/json-values.js";
import {
  deducedMap,
  deducedType,
  type ListType,
  type MapType,
  type MergeType,
  memberType,
  type StructType,
} from "../schema/merge-type.js";
import { type FieldSet, leaf, memberNode } from "./field-set.js";
import { itemElement } from "./list-items.js";
import { type PathElement, printPathElement } from "./path-element.js";
import { TypedValueError } from "./typed-error.js";

/**
 * How to compare list items with equal keys, where the list differs: "refused" throws `TypedValueError`; "whole" treats them as one
 * value with nothing below it.
 */
export type Repeats = "refused" | "whole";

/** The elements of a longer set cannot be stored: an object has at most 1.5 MiB, managed fields included. */
export const setCharactersMax = 1.5 * 1024 * 1024;

/** Options of a comparison. */
export interface Comparing {
  readonly repeats: Repeats;
  /** Limits the size of the added fields. */
  readonly budget: { charactersLeft: number };
  /** Begins the message of an error. */
  readonly side: string;
}

export const unbounded: Comparing["budget"] = { charactersLeft: Number.POSITIVE_INFINITY };

/** The set of all fields of a value that only one side has: every node is a member. */
export function wholeTree(value: JsonValue | undefined, type: MergeType, how: Comparing): FieldSet {
  switch (type.kind) {
    case "scalar":
      return leaf;
    case "list": {
      if (type.relation === "atomic" || !isJsonArray(value) || value.length === 0) return leaf;
      const node = memberNode();
      addItems(node, value, type, how);
      return node;
    }
    case "map":
    case "struct":
      if (type.atomic || !isJsonObject(value)) return leaf;
      return wholeFields(value, type, how);
    case "deduced":
      return isJsonObject(value) ? wholeFields(value, deducedMap, how) : leaf;
  }
}

/** Adds the items of a list that only one side has. */
export function addItems(
  node: Map<PathElement, FieldSet>,
  items: readonly JsonValue[],
  type: ListType,
  how: Comparing,
): void {
  let last = leaf;
  for (const item of items) {
    const element = nameOf(item, type, how);
    if (node.has(element)) {
      if (how.repeats === "refused") throw new TypedValueError([how.side + repeatedText(element)]);
      node.set(element, leaf);
      continue;
    }
    count(element, how, charactersAroundItem);
    const below = wholeTree(item, type.element, how);
    // Most items have the same set of fields, and share one node.
    if (!hasSameNodes(last, below)) last = below;
    node.set(element, last);
  }
}

function wholeFields(value: JsonObject, type: StructType | MapType, how: Comparing): FieldSet {
  let node: Map<PathElement, FieldSet> | undefined;
  for (const name in value) {
    const field = value[name];
    if (field === undefined) continue;
    node ??= memberNode();
    addField(node, name, field, type, how);
  }
  if (type.kind === "map") return node ?? leaf;
  // An implicit value is added and removed together with its parent.
  for (const name of type.implicitNames ?? []) {
    const field = ownField(value, name) === undefined ? type.field(name) : undefined;
    if (field?.implicit === undefined) continue;
    node ??= memberNode();
    count(name, how);
    node.set(`f:${name}`, wholeTree(field.implicit, field.type, how));
  }
  return node ?? leaf;
}

function addField(
  node: Map<PathElement, FieldSet>,
  name: string,
  field: JsonValue,
  type: StructType | MapType,
  how: Comparing,
): void {
  count(name, how);
  node.set(`f:${name}`, wholeTree(field, memberType(type, name) ?? deducedType, how));
}

/** `"f:name":{},` */
const charactersAroundName = 8;
/**
 * `"k:{\\"name\\":\\"a\\"}":{".":{}},`: `element.length` counts the quotes, but not the backslashes that escape them.
 */
const charactersAroundItem = 16;

function count(element: string, how: Comparing, around = charactersAroundName): void {
  const { budget } = how;
  budget.charactersLeft -= element.length + around;
  if (budget.charactersLeft < 0) {
    throw requestTooLarge(
      `Request entity too large: the managed fields of the object would have more than ${setCharactersMax} bytes`,
    );
  }
}

function nameOf(item: JsonValue, type: ListType, { side }: Comparing): PathElement {
  try {
    return itemElement(item, type);
  } catch (error) {
    throw new TypedValueError([side + messageOf(error)]);
  }
}

/** Whether two sets share all their nodes; for sets of leaves this means that they are equal. */
function hasSameNodes(a: FieldSet, b: FieldSet): boolean {
  if (a.size !== b.size) return false;
  for (const [element, node] of a) if (b.get(element) !== node) return false;
  return true;
}

export function repeatedText(element: PathElement): string {
  return `duplicate entries for key ${printPathElement(element)}`;
}
