import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray, jsonText, ownField } from "../patch/json-values.js";
import { deducedType, type ListType, type MapType, type MergeType, type StructType } from "./merge-type.js";

/**
 * Everything of an object that decides which fields it has: names, the keys of list items, and of other values only their kind
 * and whether they are a zero value. Objects of equal shape have equal field sets.
 */
export function shapeOf(object: JsonObject, type: StructType): string {
  return shapeOfFields(object, type);
}

const deducedMap: MapType = { kind: "map", atomic: false, element: deducedType };

function shapeOfValue(value: JsonValue | undefined, type: MergeType): string {
  switch (type.kind) {
    case "scalar":
      return kindOf(value);
    case "list":
      if (type.relation === "atomic" || !isJsonArray(value) || value.length === 0) return kindOf(value);
      return shapeOfItems(value, type);
    case "map":
    case "struct":
      return type.atomic || !isJsonObject(value) ? kindOf(value) : shapeOfFields(value, type);
    case "deduced":
      return isJsonObject(value) ? shapeOfFields(value, deducedMap) : kindOf(value);
  }
}

function shapeOfFields(object: JsonObject, type: StructType | MapType): string {
  let text = "{";
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const fieldType =
      type.kind === "map" ? type.element : (type.field(name)?.type ?? type.others ?? deducedType);
    text += `${name.length}:${name}${shapeOfValue(value, fieldType)}`;
  }
  return `${text}}`;
}

function shapeOfItems(items: readonly JsonValue[], type: ListType): string {
  let text = "[";
  for (const item of items) {
    if (type.relation === "set") {
      text += named(item);
      continue;
    }
    if (isJsonObject(item)) for (const key of type.keys) text += named(ownField(item, key));
    text += shapeOfValue(item, type.element);
  }
  return `${text}]`;
}

/** A value that is part of a path. */
function named(value: JsonValue | undefined): string {
  if (value === undefined) return "u";
  if (typeof value === "string") return `s${value.length}:${value}`;
  if (typeof value === "number") return `d${value};`;
  const text = jsonText(value);
  return `${typeof value}${text.length}:${text}`;
}

function kindOf(value: JsonValue | undefined): string {
  switch (typeof value) {
    case "string":
      return value === "" ? "z" : "s";
    case "number":
      return value === 0 ? "0" : "d";
    case "bigint":
      return "i";
    case "boolean":
      return value ? "t" : "f";
    case "undefined":
      return "u";
    default:
      if (value === null) return "n";
      for (const _ in value) return isJsonArray(value) ? "l" : "o";
      return isJsonArray(value) ? "e" : "m";
  }
}
