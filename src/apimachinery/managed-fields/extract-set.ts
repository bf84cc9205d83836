import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import { deducedMap, deducedType, type MergeType } from "../schema/merge-type.js";
import { asMember, emptySet, type FieldSet, leaf } from "./field-set.js";
import { itemElement } from "./list-items.js";
import type { PathElement } from "./path-element.js";

/**
 * The fields that applying `value` claims: all leaves, list items and map keys, but no empty list. Items without a valid key are left out; `checkTyped`
 * reports them.
 */
export function extractSet(value: JsonValue, type: MergeType): FieldSet {
  return extract(value, type).below ?? emptySet;
}

interface Extracted {
  /** An atomic value is owned as a whole. */
  readonly member: boolean;
  readonly below: FieldSet | undefined;
}

const whole: Extracted = { member: true, below: undefined };
const nothing: Extracted = { member: false, below: undefined };

function extract(value: JsonValue | undefined, type: MergeType): Extracted {
  switch (type.kind) {
    case "scalar":
      return whole;
    case "list": {
      if (type.relation === "atomic") return whole;
      if (!isJsonArray(value)) return nothing;
      const below = new Map<PathElement, FieldSet>();
      for (const item of value) {
        const element = elementOrUndefined(item, type);
        if (element === undefined) continue;
        // Duplicate items are owned as one value.
        const inner = below.has(element) ? whole : extract(item, type.element);
        below.set(element, inner.below === undefined ? leaf : asMember(inner.below));
      }
      return { member: false, below };
    }
    case "map":
    case "struct":
      if (type.atomic) return whole;
      return isJsonObject(value) ? extractFields(value, type) : nothing;
    case "deduced":
      if (isJsonObject(value)) return extractFields(value, deducedMap);
      return value === null ? nothing : whole;
  }
}

function extractFields(
  value: { readonly [name: string]: JsonValue },
  type: Extract<MergeType, { kind: "map" | "struct" }>,
): Extracted {
  const below = new Map<PathElement, FieldSet>();
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    const declared = type.kind === "struct" ? type.field(name)?.type : undefined;
    const fieldType = declared ?? (type.kind === "map" ? type.element : (type.others ?? deducedType));
    // Most values are scalars, which need no steps of their own.
    const inner = fieldType.kind === "scalar" ? whole : extract(field, fieldType);
    // Besides leaves, map keys and null values are members themselves.
    const member = inner.member || declared === undefined || field === null || isEmptyObject(field);
    const node = nodeOf(member, inner.below);
    if (node !== undefined) below.set(`f:${name}`, node);
  }
  return { member: false, below };
}

function nodeOf(member: boolean, below: FieldSet | undefined): FieldSet | undefined {
  if (below !== undefined && below.size > 0) return member ? asMember(below) : below;
  return member ? leaf : undefined;
}

function isEmptyObject(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

function elementOrUndefined(item: JsonValue, type: Extract<MergeType, { kind: "list" }>): string | undefined {
  try {
    return itemElement(item, type);
  } catch {
    return undefined;
  }
}
