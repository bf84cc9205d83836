import { keepPrinted, printJsonStringPlain, unparsedJson, unparsedText } from "../json/json-print.js";
import type { JsonObject } from "../json/json-value.js";
import { type FieldSet, leaf } from "./field-set.js";
import { writtenOrder } from "./written-order.js";

const written = Symbol("written form");

interface Written {
  [written]?: JsonObject;
}

/** Larger sets are kept as text. */
const objectElementsMax = 1000;

/** The set as `fieldsV1`, in written order. A large set becomes a stand-in for printing only, without members. */
export function writeFieldSet(set: FieldSet): JsonObject {
  const known = (set as Written)[written];
  if (known !== undefined) return known;
  return toJson(set, { left: objectElementsMax }) ?? unparsedJson(printSet(set));
}

/** Caches the written form of a set that many objects share. */
export function keepWritten(set: FieldSet): FieldSet {
  const form = writeFieldSet(set);
  (set as Written)[written] = unparsedText(form) === undefined ? keepPrinted(form) : form;
  return set;
}

const noMembers: JsonObject = Object.freeze({});

/** Undefined when the set has more elements than are left. */
function toJson(set: FieldSet, count: { left: number }): JsonObject | undefined {
  if (set.size === 0) return noMembers;
  count.left -= set.size;
  if (count.left < 0) return undefined;
  const result: { [element: string]: JsonObject } = {};
  for (const element of writtenOrder(set)) {
    const node = toJson(set.get(element) ?? leaf, count);
    if (node === undefined) return undefined;
    result[element] = node;
  }
  return result;
}

function printSet(set: FieldSet): string {
  if (set.size === 0) return "{}";
  let text = "{";
  let last: FieldSet = leaf;
  let lastText = "{}";
  for (const element of writtenOrder(set)) {
    const node = set.get(element) ?? leaf;
    // Items often share one set.
    if (node !== last) {
      last = node;
      lastText = printSet(node);
    }
    text += `${text === "{" ? "" : ","}${printJsonStringPlain(element)}:`;
    text += lastText;
  }
  return `${text}}`;
}
